import AutoFillProtocol
import AutoFillWire
import CredentialExchange
import Glibc
import KeywaySystem
import PasswordsProtocol

/// `keyway import`: has what was read stored in the vault, after it said what will become of it, and reports what became of
/// it.
struct ImportStoring {
    let context: CommandContext

    /// Stores all of the files in one transaction.
    func store(_ exports: [ReadExport]) async throws {
        var items = 0
        for export in exports {
            let heading = try ImportPreview(context: context, exports: exports).heading(of: export)
            try context.say(heading.text)
            items += heading.count
        }
        let document = Attachment(try ImportUnion.document(of: exports).descriptor)
        typealias Done = (compared: CompareDocument.Result, imported: ImportDocument.Result?)
        let done = try await VaultDoor(context: context).openUnlocked { service -> Done in
            let compared = try await waiting(Strings.comparing, items) {
                try await service.call(CompareDocument.self, .init(document: document))
            }
            let counts = compared.counts
            try context.say(Strings.compared(counts))
            guard counts.new + counts.conflicts > 0 else { return (compared, nil) }
            let choice = try await choice(counts)
            guard choice != .skip || counts.new > 0 else { return (compared, nil) }
            try confirm(counts, choice)
            let imported = try await waiting(
                Strings.importing, items, told: Strings.importing(counts), mayCancel: false
            ) {
                try await service.call(ImportDocument.self, .init(document: document, conflicts: choice))
            }
            return (compared, imported)
        }
        // Its answer is taken: it opens nothing any more.
        if exports.contains(where: \.isAnswer) { WaitingRequest.remove(try context.requestPath()) }
        try ImportReport(context: context, exports: exports, compared: done.compared, result: done.imported).show()
        if let result = done.imported, result.added + result.replaced > 0 { try offerRemoval(exports) }
    }

    /// Takes back the last import.
    func undo() async throws {
        try await VaultDoor(context: context).openUnlocked { service in
            if !context.invocation.has("--yes") {
                let isSure = try context.questions.confirm(
                    Strings.confirmUndoingImport, elseHint: Strings.confirmByOption)
                guard isSure else { throw CommandError(.cancelled, Strings.nothingUndone) }
            }
            let undone = try await service.call(UndoImport.self, Nothing())
            guard context.wantsJSON else {
                try context.say(Strings.undone(undone))
                let rows = undone.kept.map { ["  " + $0.title, $0.user] }
                if !rows.isEmpty { try context.surroundings.output.write(TextTable.text(rows)) }
                return
            }
            try context.print(
                .object([
                    ("removed", .integer(undone.removed)), ("restored", .integer(undone.restored)),
                    ("kept", .integer(undone.keptCount)),
                ]), text: "")
        }
    }

    private func waiting<Success: Sendable>(
        _ title: String, _ items: Int, told text: String? = nil, mayCancel: Bool = true,
        _ body: @escaping @Sendable () async throws -> Success
    ) async throws -> Success {
        try await WaitingDisplay(context: context).perform(
            title, text, isLong: items >= WaitingDisplay.leastItems, mayCancel: mayCancel, body)
    }

    // MARK: - Questions

    /// What becomes of conflicts: as the option says, or the person; without either, both are kept.
    private func choice(_ counts: ImportCounts) async throws -> ConflictChoice {
        if let typed = context.invocation.value("--conflicts") { return Self.choices[typed] ?? .keepBoth }
        guard counts.conflicts > 0, context.questions.areTyped, !context.invocation.has("--yes") else {
            return .keepBoth
        }
        let rows = Self.choices.sorted { $0.key < $1.key }.map { name, choice in
            InterfaceList.Row(id: name, title: Strings.conflictTitle(choice), subtitle: Strings.conflictText(choice))
        }
        let interface = ProviderInterface.list(
            InterfaceList(
                title: Strings.conflictQuestion(counts.conflicts), sections: [.init(rows: rows)], search: .none))
        guard case .chose(let name) = try await context.questions.answer(to: interface, service: nil),
            let choice = Self.choices[name]
        else { throw CommandError(.cancelled, Strings.nothingImported) }
        return choice
    }

    /// The choices, as they are typed.
    static let choices: [String: ConflictChoice] = ["keep-both": .keepBoth, "skip": .skip, "replace": .replace]

    private func confirm(_ counts: ImportCounts, _ choice: ConflictChoice) throws(CommandError) {
        guard !context.invocation.has("--yes") else { return }
        let isSure = try context.questions.confirm(
            Strings.confirmImport(counts, choice), elseHint: Strings.confirmByOption)
        guard isSure else { throw CommandError(.cancelled, Strings.nothingImported) }
    }

    /// The files still hold every password as plain text. Only a person's yes removes one, and only the very file that was
    /// read.
    private func offerRemoval(_ exports: [ReadExport]) throws {
        for export in exports where !export.isProtected {
            let path = export.file.filePath
            guard context.questions.areTyped, !context.wantsJSON, !context.invocation.has("--yes") else {
                try context.say(Strings.fileIsStillThere(path))
                continue
            }
            guard (try? context.questions.confirm(Strings.offerRemoval(path), elseHint: "")) ?? false else {
                try context.say(Strings.fileIsStillThere(path))
                continue
            }
            guard export.file.isStillThere else {
                try context.say(Strings.fileIsAnother(path))
                continue
            }
            guard unlink(path) == 0 else {
                try context.say(Strings.notRemoved(path, SystemCall.describe(errno)))
                continue
            }
            try context.say(Strings.fileRemoved(path))
        }
    }
}
