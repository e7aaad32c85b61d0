import AutoFillWire
import FoundationEssentials
import KeywaySystem
import ProtocolSamples
import Testing

@testable import PasswordsProtocol

@Suite struct PasswordsCatalogueTests {
    @Test func namesEveryMessageOnce() {
        let names = PasswordsCatalogue.entries.map(\.name)
        #expect(Set(names).count == names.count)
        for entry in PasswordsCatalogue.entries {
            #expect(entry.callers == [entry.result == nil ? .providerService : .serviceClient])
        }
    }

    @Test func everyExampleIsWrittenAndReadBackAlike() async throws {
        var seen: [String] = []
        func roundTrip<M: DocumentedMethod>(_ method: M.Type) async throws {
            seen.append(M.name)
            let sample = try M.sample
            var methods = MethodTable()
            methods.on(method) { parameters, _ throws in
                let (received, sent) = (try ExampleJSON.text(parameters), try ExampleJSON.text(sample.parameters))
                #expect(received == sent)
                return sample.result
            }
            let (ours, theirs) = try LocalSocket.pair()
            let client = Connection(descriptor: ours, peer: .known(.providerService))
            let server = Connection(descriptor: theirs, peer: .known(.serviceClient), methods: methods)
            client.start()
            server.start()
            let result = try await client.call(method, sample.parameters)
            #expect(try ExampleJSON.text(result) == ExampleJSON.text(sample.result))
            server.close()
        }
        try await roundTrip(VaultStatus.self)
        try await roundTrip(CreateVault.self)
        try await roundTrip(UnlockVault.self)
        try await roundTrip(LockVault.self)
        try await roundTrip(ChangeMasterPassword.self)
        try await roundTrip(RenewVaultKey.self)
        seen.append(VaultRenewing.name)
        let told = try ExampleJSON.text(VaultRenewing.sample)
        let again = try JSONDecoder().decode(VaultRenewing.Parameters.self, from: Data(told.utf8))
        #expect(again == VaultRenewing.sample)
        try await roundTrip(BackUpVault.self)
        try await roundTrip(NoteBackup.self)
        try await roundTrip(CheckBackup.self)
        try await roundTrip(RestoreBackup.self)
        try await roundTrip(SearchItems.self)
        try await roundTrip(MatchItems.self)
        try await roundTrip(ShowItem.self)
        try await roundTrip(ShowSection.self)
        try await roundTrip(ReadFile.self)
        try await roundTrip(AttachFile.self)
        try await roundTrip(AddItem.self)
        try await roundTrip(EditItem.self)
        try await roundTrip(RemoveItem.self)
        try await roundTrip(RestoreItem.self)
        try await roundTrip(FindCodes.self)
        try await roundTrip(MakeCode.self)
        try await roundTrip(ShowCodeLink.self)
        try await roundTrip(KeepCode.self)
        try await roundTrip(FindPasskeys.self)
        try await roundTrip(SignWithPasskey.self)
        try await roundTrip(MakePasskey.self)
        try await roundTrip(HearReport.self)
        try await roundTrip(KeepPassword.self)
        try await roundTrip(GeneratePassword.self)
        try await roundTrip(CompareDocument.self)
        try await roundTrip(ImportDocument.self)
        seen.append(ExchangeProgress.name)
        let progress = try ExampleJSON.text(ExchangeProgress.sample)
        #expect(
            try JSONDecoder().decode(ExchangeProgress.Parameters.self, from: Data(progress.utf8))
                == ExchangeProgress.sample)
        try await roundTrip(UndoImport.self)
        try await roundTrip(ExportDocument.self)
        try await roundTrip(HandOverDocument.self)
        #expect(seen == PasswordsCatalogue.entries.map(\.name))
    }

    @Test func nobodyButAServiceClientMayAsk() async throws {
        var methods = MethodTable()
        methods.on(LockVault.self) { _, _ in Nothing() }
        for role in Role.allCases where role != .serviceClient {
            let (ours, theirs) = try LocalSocket.pair()
            let client = Connection(descriptor: ours, peer: .known(.broker))
            let server = Connection(descriptor: theirs, peer: .known(role), methods: methods)
            client.start()
            server.start()
            await #expect(throws: ProtocolError(.notAllowed, "")) { try await client.call(LockVault.self, Nothing()) }
        }
    }

    @Test func theDocumentationSaysWhatTheCodeSays() throws {
        try ServiceDocument(path: "Docs/passwords-protocol.md").check(PasswordsCatalogue.entries)
    }
}
