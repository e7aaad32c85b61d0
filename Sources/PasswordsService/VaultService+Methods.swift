package import AutoFillProtocol
package import AutoFillWire
import KeywayCrypto
import PasswordsProtocol

extension VaultService {
    /// What is answered on a conversation behind which the broker says `client` is.
    ///
    /// - Parameter gate: what lets things be handed out to it.
    package nonisolated func methods(for client: ServiceClient, gate: HandoutGate = .open) -> MethodTable {
        var table = MethodTable()
        table.on(VaultStatus.self) { _, _ in await self.status(for: client) }
        table.on(CreateVault.self) { parameters, _ in try await self.create(parameters, for: client) }
        table.on(UnlockVault.self) { parameters, _ in try await self.unlock(parameters, for: client) }
        table.on(LockVault.self) { _, _ in
            await self.lock("by command")
            return Nothing()
        }
        table.on(ChangeMasterPassword.self) { parameters, context in
            try await self.changeMasterPassword(parameters, for: client, gate) { [connection = context.connection] in
                connection.notify(VaultRenewing.self, $0)
            }
        }
        table.on(RenewVaultKey.self) { parameters, context in
            try await self.renewKey(parameters, for: client, gate) { [connection = context.connection] in
                connection.notify(VaultRenewing.self, $0)
            }
        }
        table.on(BackUpVault.self) { _, _ in try await self.backUp(for: client) }
        table.on(NoteBackup.self) { parameters, _ in try await self.note(parameters, for: client) }
        table.on(CheckBackup.self) { parameters, _ in try await self.check(parameters, for: client) }
        table.on(RestoreBackup.self) { parameters, _ in try await self.restore(parameters, for: client, gate) }
        table.on(SearchItems.self) { parameters, _ in try await self.search(parameters, for: client, gate) }
        table.on(MatchItems.self) { parameters, _ in try await self.match(parameters, for: client, gate) }
        table.on(ShowItem.self) { parameters, _ in try await self.show(parameters, for: client, gate) }
        table.on(ShowSection.self) { parameters, _ in try await self.show(parameters, for: client, gate) }
        table.on(ReadFile.self) { parameters, _ in try await self.read(parameters, for: client, gate) }
        table.on(AttachFile.self) { parameters, _ in try await self.attach(parameters, for: client, gate) }
        table.on(AddItem.self) { parameters, _ in try await self.add(parameters, for: client, gate) }
        table.on(EditItem.self) { parameters, _ in try await self.edit(parameters, for: client, gate) }
        table.on(RemoveItem.self) { parameters, _ in try await self.remove(parameters, for: client, gate) }
        table.on(RestoreItem.self) { parameters, _ in try await self.restore(parameters, for: client, gate) }
        table.on(FindCodes.self) { parameters, _ in try await self.find(parameters, for: client, gate) }
        table.on(MakeCode.self) { parameters, _ in try await self.make(parameters, for: client, gate) }
        table.on(KeepCode.self) { parameters, _ in try await self.keep(parameters, for: client) }
        table.on(ShowCodeLink.self) { parameters, _ in try await self.link(parameters, for: client, gate) }
        table.on(FindPasskeys.self) { parameters, _ in try await self.find(parameters, for: client, gate) }
        table.on(SignWithPasskey.self) { parameters, _ in try await self.sign(parameters, for: client) }
        table.on(MakePasskey.self) { parameters, _ in try await self.make(parameters, for: client) }
        table.on(KeepPassword.self) { parameters, _ in try await self.keep(parameters, for: client) }
        table.on(HearReport.self) { parameters, _ in try await self.hear(parameters.report, from: client) }
        let permitted = ComparedDocument()
        table.on(CompareDocument.self) { parameters, context in
            try await self.compare(parameters, for: client, gate, permitted) { [connection = context.connection] in
                connection.notify(ExchangeProgress.self, $0)
            }
        }
        table.on(ImportDocument.self) { parameters, context in
            try await self.importDocument(parameters, for: client, gate, permitted) {
                [connection = context.connection] in
                connection.notify(ExchangeProgress.self, $0)
            }
        }
        table.on(UndoImport.self) { _, _ in try await self.undoImport(for: client, gate) }
        table.on(ExportDocument.self) { parameters, _ in try await self.export(parameters, for: client, gate) }
        table.on(HandOverDocument.self) { parameters, _ in try await self.handOver(parameters, for: client, gate) }
        table.on(GeneratePassword.self) { parameters, _ in
            .init(password: try Attachment(try GeneratedPassword(parameters).draw(SystemRandomSource())))
        }
        return table
    }
}
