import AuthenticationServices
import AutoFillProtocol
import AutoFillWire
import CredentialExchange
import KeywaySystem
import PasswordsProtocol

/// The two directions of an exchange, step by step.
@MainActor
struct VaultExchange {
    let vault: any VaultDoor
    let system: any ExchangeDoor
    let person: Conversation

    // MARK: - Import

    /// Stores what waits under `token`, once the vault is open and the person has seen what becomes of it and agreed.
    ///
    /// - Throws: ``ProtocolError``; nothing was stored then. `CancellationError` where the person backs out.
    func take(_ token: UUID) async throws -> KeywayExchangeReport {
        try await open()
        let document = try await system.take(token)
        person.tell(ExchangeScreens.comparing)
        let compared = try await vault.compare(document)
        let words = try DocumentWords(document)
        let findings = try ImportFindings(compared.findings).list
        let preview = ExchangeScreens.preview(compared.counts, words, words.notices(of: findings))
        let choice = try await person.ask(preview, ExchangeScreens.conflictChoice)
        guard compared.counts.new + compared.counts.conflicts > 0 else {
            return KeywayExchangeReport(items: 0, notices: words.notices(of: findings) + Self.known(compared.counts))
        }
        person.tell(ExchangeScreens.storing)
        let stored = try await vault.store(document, choice)
        return KeywayExchangeReport(
            items: stored.added + stored.replaced,
            notices: words.notices(of: try ImportFindings(stored.findings).list) + Self.known(stored.counts))
    }

    private static func known(_ counts: ImportCounts) -> [KeywayExchangeReport.Notice] {
        guard counts.duplicates > 0 else { return [] }
        return [.init(item: "", reason: ExchangeScreens.duplicates(counts.duplicates))]
    }

    /// Waits until the vault is open.
    private func open() async throws {
        var problem: String?
        while true {
            switch try await vault.status() {
            case .open: return
            case .missing:
                throw ProtocolError(.notFound, "There is no vault yet. Run in a terminal: keyway passwords create")
            case .locked: break
            }
            let password = try await person.ask(ExchangeScreens.unlock(problem), ExchangeScreens.secret)
            person.tell(ExchangeScreens.unlocking)
            do {
                try await vault.unlock(Attachment(password.sealedMemory))
            } catch let error as ProtocolError where error.mayBeTriedAgain {
                problem = error.message
            }
        }
    }

    // MARK: - Export

    /// Hands everything over to whom the person chooses. The master password is asked for although the vault is open.
    ///
    /// - Throws: as ``take(_:)``.
    func handOver() async throws -> KeywayExchangeReport {
        guard try await vault.status() != .missing else {
            throw ProtocolError(.notFound, "There is no vault yet, and so nothing to hand over.")
        }
        let agreement = try await system.request()
        let result = try await document()
        let notices = result.losses.map { loss in
            KeywayExchangeReport.Notice(
                item: loss.user.isEmpty ? loss.title : "\(loss.title) (\(loss.user))", reason: loss.reason)
        }
        if result.lossCount > 0 {
            try await person.ask(
                ExchangeScreens.losses(result.items, notices, of: result.lossCount), ExchangeScreens.agreed)
        }
        person.tell(ExchangeScreens.handingOver)
        try await system.export(result.document, as: agreement)
        var all = notices
        if result.lossCount > result.losses.count {
            all.append(.init(item: "", reason: ExchangeScreens.more(result.lossCount - result.losses.count)))
        }
        return KeywayExchangeReport(items: result.items, notices: all)
    }

    private func document() async throws -> HandOverDocument.Result {
        var problem: String?
        while true {
            let password = try await person.ask(ExchangeScreens.masterPassword(problem), ExchangeScreens.secret)
            person.tell(ExchangeScreens.writing)
            do {
                if try await vault.status() == .locked {
                    try await vault.unlock(Attachment(password.sealedMemory))
                }
                return try await vault.handOver(Attachment(password.sealedMemory))
            } catch let error as ProtocolError where error.mayBeTriedAgain {
                problem = error.message
            }
        }
    }
}

extension ProtocolError {
    /// Whether the person can try again at once.
    fileprivate var mayBeTriedAgain: Bool { [.wrongPassword, .busy, .locked].contains(code) }
}

/// What people read of a document: who made it, and what its items are called.
private struct DocumentWords: ExchangeSource {
    let exporter: String
    private let titles: [String]

    /// Reads what a document is called by.
    ///
    /// - Throws: ``ProtocolError``: `damaged`.
    init(_ document: Attachment) throws {
        let read = try SealedDocument(received: document.descriptor).withUnsafeBytes { bytes throws(ProtocolError) in
            Result { () throws(ExchangeError) in try Self.read(bytes) }
        }
        do {
            (exporter, titles) = try read.get()
        } catch {
            throw ProtocolError(.damaged, "What was handed over can't be read (\(error)). Nothing was stored.")
        }
    }

    private static func read(_ bytes: UnsafeRawBufferPointer) throws(ExchangeError) -> (String, [String]) {
        let reader = try ExchangeReader(bytes)
        var titles: [String] = []
        for account in reader.accounts {
            var items = reader.items(of: account)
            while let item = try items.next() { titles.append(item.title) }
        }
        return (reader.header?.displayName ?? "", titles)
    }

    /// What is said of items, by their titles.
    func notices(of findings: [ImportFinding]) -> [KeywayExchangeReport.Notice] {
        findings.flatMap { finding in
            let title = titles.indices.contains(finding.item) ? titles[finding.item] : ""
            return ([finding.reason].compactMap { $0 } + (finding.notices ?? [])).map {
                KeywayExchangeReport.Notice(item: title, reason: $0)
            }
        }
    }
}
