/// Runs a parsed command.
package struct CommandRunner {
    private let context: CommandContext

    /// A runner of `invocation` in `surroundings`.
    package init(_ invocation: Invocation, in surroundings: Surroundings) {
        context = CommandContext(invocation: invocation, surroundings: surroundings)
    }

    /// Runs it; says what went wrong.
    package func run() async -> ExitCode {
        defer { context.notices.flush() }
        do {
            let code = try await perform()
            await context.person.endQuestions()
            return code
        } catch {
            await context.person.endQuestions()
            let error = CommandError(any: error)
            try? context.surroundings.messages.write(Strings.failure(error))
            return error.code
        }
    }

    private func perform() async throws -> ExitCode {
        let context = context
        switch context.invocation.action {
        case .status: try await StatusCommand(context: context).run()
        case .setup: return try await SetupCommand(context: context).run()
        case .doctor: return try await DoctorCommand(context: context).run()
        case .listProviders: try await ProvidersCommand(context: context).list()
        case .showProvider: try await ProvidersCommand(context: context).show()
        case .orderProviders: try await ProvidersCommand(context: context).order()
        case .enableProvider: try await EnableCommand(context: context).enable()
        case .disableProvider: try await EnableCommand(context: context).disable()
        case .approveApplication: try await ApplicationCommand(context: context).run(isApproved: true)
        case .revokeApplication: try await ApplicationCommand(context: context).run(isApproved: false)
        case .configureProvider: try await ConfigureCommand(context: context).run()
        case .debugProvider: try await DebugCommand(context: context).run()
        case .suggest: try await SuggestCommand(context: context).run()
        case .fill, .insertText: try await FillCommand(context: context).run()
        case .code: try await FillCommand(context: context).runForCode()
        case .savePassword: try await SaveCommand(context: context).run()
        case .answerApplication: try await AnswerCommand(context: context).run()
        case .proposePasswords: try await ProposeCommand(context: context).run()
        case .initVault: try await VaultCommand(context: context).create()
        case .unlockVault: try await VaultCommand(context: context).unlock()
        case .lockVault: try await VaultCommand(context: context).lock()
        case .changeMasterPassword: try await VaultCommand(context: context).changeMasterPassword()
        case .renewKey: try await VaultCommand(context: context).renewKey()
        case .exportVault: try await ExportCommand(context: context).run()
        case .exchangeAccounts: try await ExchangeCommand(context: context).run()
        case .backUpVault: try await BackupCommand(context: context).make()
        case .restoreBackup: try await BackupCommand(context: context).restore()
        case .addItem: try await StoreCommand(context: context).add()
        case .editItem: try await StoreCommand(context: context).edit()
        case .removeItem: try await StoreCommand(context: context).remove()
        case .restoreItem: try await StoreCommand(context: context).restore()
        case .attachFile: try await FileCommand(context: context).attach()
        case .saveFile: try await FileCommand(context: context).save()
        case .removeFile: try await FileCommand(context: context).remove()
        case .showItem: try await ShowCommand(context: context).run()
        case .listItems, .searchItems: try await SearchCommand(context: context).run()
        case .generatePassword: try await GenerateCommand(context: context).run()
        case .listHistory: try await HistoryCommand(context: context).list()
        case .clearHistory: try await HistoryCommand(context: context).clear()
        case .showVerification: try await VerificationCommand(context: context).show()
        case .changeVerification: try await VerificationCommand(context: context).change()
        case .setPIN: try await VerificationCommand(context: context).setPIN()
        case .removePIN: try await VerificationCommand(context: context).removePIN()
        case .importFiles: try await ImportCommand(context: context).run()
        case .newProvider: try ProviderCommand(context: context).make()
        case .testProvider: try ProviderCommand(context: context).test()
        case .listClients: try await ClientsCommand(context: context).list()
        case .approveClient: try await ClientsCommand(context: context).change(.approve)
        case .refuseClient: try await ClientsCommand(context: context).change(.refuse)
        case .forgetClient: try await ClientsCommand(context: context).change(.forget)
        case .allowSite:
            try await ClientsCommand(context: context).change(.allowSite(context.invocation.argument("SITE") ?? ""))
        case .renameClient:
            try await ClientsCommand(context: context).change(.rename(context.invocation.argument("NAME") ?? ""))
        case .completions: try context.surroundings.output.write(completions)
        case .help: break  // answered by the parser
        }
        return .success
    }

    private var completions: String {
        switch context.invocation.argument("SHELL") {
        case "bash": BashCompletion.text()
        case "zsh": ZshCompletion.text()
        default: FishCompletion.text()
        }
    }
}
