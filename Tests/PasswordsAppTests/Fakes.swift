import AutoFillProtocol
import AutoFillWire
import Foundation
import KeywaySystem
import PasswordsProtocol
import Synchronization

@testable import PasswordsApp

extension SealedMemory {
    init(text: String) throws {
        self = try Array(text.utf8).withUnsafeBytes { try SealedMemory(copying: $0) }
    }
}

/// What a memory file says.
private func text(_ attachment: Attachment) throws -> String {
    try attachment.sealedMemory().withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
}

private func sealed(_ text: String) throws -> Attachment {
    let bytes = Array(text.utf8)
    let document = try SealedDocument { write throws(ProtocolError) in
        try bytes.withUnsafeBytes { bytes in Result { () throws(ProtocolError) in try write(bytes) } }.get()
    }
    return Attachment(document.descriptor)
}

/// A vault whose master password is “right”.
final class FakeVault: VaultDoor {
    struct State {
        var access = VaultStatus.Access.open
        var counts = ImportCounts()
        var findings: [ImportFinding] = []
        var losses: [ExportDocument.Loss] = []
        var calls: [String] = []
    }

    private let state = Mutex(State())

    var calls: [String] { state.withLock { $0.calls } }
    func set(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    private func note(_ call: String) { state.withLock { $0.calls.append(call) } }

    func status() async throws -> VaultStatus.Access { state.withLock { $0.access } }

    func unlock(_ masterPassword: Attachment) async throws {
        let typed = try text(masterPassword)
        note("unlock \(typed)")
        guard typed == "right" else { throw ProtocolError(.wrongPassword, "That is wrong.") }
        state.withLock { $0.access = .open }
    }

    func compare(_ document: Attachment) async throws -> CompareDocument.Result {
        note("compare")
        let (counts, findings) = state.withLock { ($0.counts, $0.findings) }
        return .init(counts: counts, findings: try ImportFindings(findings).attachment())
    }

    func store(_ document: Attachment, _ conflicts: ConflictChoice) async throws -> ImportDocument.Result {
        note("store \(conflicts.rawValue)")
        return .init(
            counts: state.withLock { $0.counts }, added: 3, replaced: 2, leftOut: 0, undoable: 5,
            findings: try ImportFindings([]).attachment())
    }

    func handOver(_ masterPassword: Attachment) async throws -> HandOverDocument.Result {
        let typed = try text(masterPassword)
        note("handOver \(typed)")
        guard typed == "right" else { throw ProtocolError(.wrongPassword, "That is wrong.") }
        let losses = state.withLock { $0.losses }
        return .init(document: try sealed("{}"), items: 4, losses: losses, lossCount: losses.count)
    }
}

/// A broker at which a document of two items waits.
final class FakeSystem: ExchangeDoor {
    struct State {
        var refusal: ProtocolError?
        var document = """
            {"version":{"major":1,"minor":0},"exporterRpId":"example.org","exporterDisplayName":"Example",\
            "timestamp":1700000000,"accounts":[{"id":"AA","username":"","email":"","collections":[],"items":[\
            {"id":"AAAA","title":"One","credentials":[]},{"id":"AAAB","title":"Two","credentials":[]}]}]}
            """
        var calls: [String] = []
    }

    private let state = Mutex(State())

    var calls: [String] { state.withLock { $0.calls } }
    func set(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

    func request() async throws -> RequestExport.Result {
        if let refusal = state.withLock({ $0.refusal }) { throw refusal }
        state.withLock { $0.calls.append("request") }
        return .init(exchange: "agreed", formatVersion: "1.0")
    }

    func export(_ document: Attachment, as agreement: RequestExport.Result) async throws {
        state.withLock { $0.calls.append("export \(agreement.exchange)") }
    }

    func take(_ token: UUID) async throws -> Attachment { try sealed(state.withLock { $0.document }) }
}
