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

    /// What a document is written for.
    enum ExportForm {
        /// Files: everything that the format has places for.
        case file
        /// Another manager, which takes what Apple's types have places for.
        case manager
    }

    /// Writes everything as a document. Asks for the master password although the vault is open, whatever is set: what
    /// comes out is sealed by no key.
    ///
    /// - Throws: `refused` for anybody but a terminal; `wrongPassword`, after which the next attempt waits; `locked`,
    ///   `damaged`, `system`, `busy`, `cancelled`.
    func export(
        _ parameters: ExportDocument.Parameters, for client: ServiceClient, _ gate: HandoutGate
    ) async throws -> ExportDocument.Result {
        try requireTerminal(client, "The vault is exported in a terminal. Run: keyway export FILE")
        return try await export(.file, parameters.masterPassword, for: client, gate)
    }

    /// Writes everything as a document for another manager. Asks for the master password likewise.
    ///
    /// - Throws: as ``export(_:for:_:)``; `refused` for a terminal, which has no other manager to give it to.
    func handOver(
        _ parameters: HandOverDocument.Parameters, for client: ServiceClient, _ gate: HandoutGate
    ) async throws -> ExportDocument.Result {
        if case .terminal = client {
            throw ProtocolError(.refused, "Items are handed over by the app. Run: keyway exchange")
        }
        return try await export(.manager, parameters.masterPassword, for: client, gate)
    }

    private func export(
        _ form: ExportForm, _ masterPassword: Attachment, for client: ServiceClient, _ gate: HandoutGate
    ) async throws -> ExportDocument.Result {
        try await gate.use()
        _ = try vault(for: client)
        let password = try self.masterPassword(masterPassword, isNew: false)
        return try await turnstile.pass {
            try await waitAfterFailure()
            _ = try vault(for: client)
            guard let slot = open?.slot else { throw missing }
            try await derive { () throws(VaultError) in _ = try slot.open(password) }
            try await gate.export()
            await changeEnd()
            // It may have been locked meanwhile.
            let result = try write(try vault(for: client), form)
            surroundings.log("exported \(result.items) items")
            return result
        }
    }

    private func write(_ vault: UnlockedVault, _ form: ExportForm) throws(ProtocolError) -> ExportDocument.Result {
        var items: [ItemID] = []
        try answering { () throws(VaultError) in try vault.forEachSummary { items.append($0.id) } }
        var (losses, lossCount, fileLosses) = ([ExportDocument.Loss](), 0, [ExportDocument.Loss]())
        let header = ExchangeHeader(
            exporter: "keyway.org", displayName: "Keyway",
            timestamp: environment.clock.seconds)
        var account = ExchangeAccount(id: SecretBytes(copying: vault.id.bytes).base64URLText)
        // They are known once all items are.
        account.object["collections"] = nil
        let references = try references(vault, items)
        let tree = CollectionTree()
        let document = try SealedDocument(limit: SealedDocument.maximumExport) { (write) throws(ProtocolError) in
            var written = 0
            let count = { (bytes: UnsafeRawBufferPointer) throws(ProtocolError) in
                written += bytes.count
                try write(bytes)
            }
            let writer = try ExchangeWriter(header, count)
            var files: [ExportedFile] = []
            try writer.begin(account)
            var taken = Set<String>()
            for id in items {
                let (summary, body, sections) = try answering { () throws(VaultError) in try vault.contents(of: id) }
                let item = ExchangedItem(summary, body, sections, taken: &taken, references: references)
                let (document, itemLosses) = form.written(item)
                try writer.add(document)
                if form == .file {
                    files += item.files.map { ExportedFile(item: id, section: $0.section, hash: $0.hash) }
                    for file in item.files where fileLosses.count < Self.toldLosses {
                        let reason = "What is in its file “\(file.name)” is left out."
                        fileLosses.append(.init(title: summary.title, user: summary.userName, reason: reason))
                    }
                }
                for place in item.places { tree.add(item.item.id, at: place) }
                lossCount += itemLosses.count
                for reason in itemLosses where losses.count < Self.toldLosses {
                    losses.append(.init(title: summary.title, user: summary.userName, reason: reason))
                }
            }
            try writer.endAccount(collections: tree.collections)
            try writer.end()
            try self.write(files, of: vault, behind: written, write)
        }
        return .init(
            document: Attachment(document.descriptor), items: items.count, losses: losses, lossCount: lossCount,
            fileLosses: fileLosses.isEmpty ? nil : fileLosses)
    }

    /// A file that a document names.
    private struct ExportedFile {
        let item: ItemID
        let section: UInt16
        let hash: [UInt8]
    }

    /// Writes what is in files behind a document, each once.
    private func write(
        _ files: [ExportedFile], of vault: UnlockedVault, behind count: Int,
        _ write: (UnsafeRawBufferPointer) throws(ProtocolError) -> Void
    ) throws(ProtocolError) {
        guard !files.isEmpty else { return }
        var (places, end, known) = ([(hash: [UInt8], place: Range<Int>)](), count, Set<[UInt8]>())
        for file in files where known.insert(file.hash).inserted {
            let start = end
            try readFile(file.section, of: file.item, in: vault) { (bytes) throws(ProtocolError) in
                try write(bytes)
                end += bytes.count
            }
            places.append((file.hash, start..<end))
        }
        let bytes = ExchangeBundle.end(document: count, table: end, places)
        try bytes.lend { (bytes) throws(ProtocolError) in try write(bytes) }
    }

    /// Where items will be in the document, as far as others refer to any.
    private func references(
        _ vault: UnlockedVault, _ items: [ItemID]
    ) throws(ProtocolError) -> ExchangedReferences {
        var (references, hasAny) = (ExchangedReferences(), false)
        try answering { () throws(VaultError) in
            try vault.forEachSummary { item in
                if item.sections.contains(where: { $0.type == .itemReference }) { hasAny = true }
            }
            guard hasAny else { return }
            for id in items { references.note(id, try vault.contents(of: id).sections) }
        }
        return references
    }
}

extension VaultService.ExportForm {
    /// An item in this form, with all that it loses.
    fileprivate func written(_ item: ExchangedItem) -> (ExchangeItem, [String]) {
        switch self {
        case .file: return (item.item, item.losses)
        case .manager:
            let handed = HandedItem(item.item)
            return (handed.item, item.losses + handed.losses)
        }
    }
}

extension SecretBytes {
    /// Base64 of what is no secret.
    fileprivate var base64URLText: String {
        base64URL.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
}
