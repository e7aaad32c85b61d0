import AutoFillProtocol
import PasswordsProtocol

/// Every message between the vault's service and its clients, for the documentation and the tests.
package enum PasswordsCatalogue {
    /// All of them, in the order of the documentation.
    package static let entries: [MessageCatalogue.Entry] = [
        .init(VaultStatus.self), .init(CreateVault.self), .init(UnlockVault.self), .init(LockVault.self),
        .init(ChangeMasterPassword.self), .init(RenewVaultKey.self), .init(notification: VaultRenewing.self),
        .init(BackUpVault.self), .init(NoteBackup.self), .init(CheckBackup.self), .init(RestoreBackup.self),
        .init(SearchItems.self), .init(MatchItems.self), .init(ShowItem.self), .init(ShowSection.self),
        .init(ReadFile.self), .init(AttachFile.self),
        .init(AddItem.self), .init(EditItem.self), .init(RemoveItem.self), .init(RestoreItem.self),
        .init(FindCodes.self), .init(MakeCode.self), .init(ShowCodeLink.self), .init(KeepCode.self),
        .init(FindPasskeys.self),
        .init(SignWithPasskey.self), .init(MakePasskey.self), .init(HearReport.self), .init(KeepPassword.self),
        .init(GeneratePassword.self), .init(CompareDocument.self), .init(ImportDocument.self),
        .init(notification: ExchangeProgress.self), .init(UndoImport.self), .init(ExportDocument.self),
        .init(HandOverDocument.self),
    ]
}
