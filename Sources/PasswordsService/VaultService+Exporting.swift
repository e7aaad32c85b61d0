import AutoFillProtocol
import AutoFillWire
import CredentialExchange
import FoundationEssentials
import KeywayCrypto
import KeywaySystem
import PasswordsProtocol
import Vault
import VaultExchange

/// The vault as a document of CXF.
extension VaultService {
    /// How many losses are told one by one.
    private static let toldLosses = 1000

    /// Writes everything as a document. Asks for the master password although the vault is open, whatever is set: what
    /// comes out is sealed by no key.
    ///
    /// - Throws: `refused` for anybody but a terminal; `wrongPassword`, after which the next attempt waits; `locked`,
    ///   `damaged`, `system`, `busy`, `cancelled`.
    func export(
        _ parameters: ExportDocument.Parameters, for client: ServiceClient, _ gate: HandoutGate
    ) async throws -> ExportDocument.Result {
        try requireTerminal(client, "The vault is exported in a terminal. Run: keyway export FILE")
        try await gate.use()
        _ = try vault(for: client)
        let password = try masterPassword(parameters.masterPassword, isNew: false)
        return try await turnstile.pass {
            try await waitAfterFailure()
            _ = try vault(for: client)
            guard let slot = open?.slot else { throw missing }
            try await derive { () throws(VaultError) in _ = try slot.open(password) }
            try await gate.export()
            await changeEnd()
            // It may have been locked meanwhile.
            let result = try write(try vault(for: client))
            surroundings.log("exported \(result.items) items")
            return result
        }
    }

    private func write(_ vault: UnlockedVault) throws(ProtocolError) -> ExportDocument.Result {
        var items: [ItemID] = []
        try answering { () throws(VaultError) in try vault.forEachSummary { items.append($0.id) } }
        var (losses, lossCount) = ([ExportDocument.Loss](), 0)
        let header = ExchangeHeader(
            exporter: "keyway.org", displayName: "Keyway",
            timestamp: Int64(environment.clock.now().timeIntervalSince1970))
        let account = ExchangeAccount(id: SecretBytes(copying: vault.id.bytes).base64URLText)
        let document = try SealedDocument { (write) throws(ProtocolError) in
            let writer = try ExchangeWriter(header, write)
            try writer.begin(account)
            var taken = Set<String>()
            for id in items {
                let (summary, body, sections) = try answering { () throws(VaultError) in try vault.contents(of: id) }
                let item = ExchangedItem(summary, body, sections, taken: &taken)
                try writer.add(item.item)
                lossCount += item.losses.count
                for reason in item.losses where losses.count < Self.toldLosses {
                    losses.append(.init(title: summary.title, user: summary.userName, reason: reason))
                }
            }
            try writer.endAccount()
            try writer.end()
        }
        return .init(
            document: Attachment(document.descriptor), items: items.count, losses: losses, lossCount: lossCount)
    }
}

extension SecretBytes {
    /// Base64 of what is no secret.
    fileprivate var base64URLText: String {
        base64URL.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
}
