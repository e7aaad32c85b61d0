import BrokerBase
import FoundationEssentials
import Glibc
import KeywaySystem

/// Counts how often in a row each provider failed to deliver what it suggested. The counts are in a small file in the
/// state folder, so that they survive the broker.
actor Deliveries {
    /// From this many failures in a row on, a provider's suggestions are taken away.
    static let patience = 3
    private static let maximumBytes = 1 << 20

    private struct Document: Codable {
        var version = 1
        var failures: [String: Int] = [:]
        /// Whose suggestions were taken away, and nobody turned them on again since.
        var wiped: [String] = []
    }

    private let path: String
    private let log: EventLog
    private var document: Document

    /// Reads the file at `path`; one that cannot be read is as good as none.
    init(path: String, log: EventLog) {
        self.path = path
        self.log = log
        document = Document()
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0, let bytes = try? FileContents.read(OwnedDescriptor(file), limit: Self.maximumBytes),
            let read = try? JSONDecoder().decode(Document.self, from: Data(bytes)), read.version == 1
        else { return }
        document = read
    }

    /// A suggestion of `provider` ended in what was promised.
    func succeeded(_ provider: String) {
        guard document.failures.removeValue(forKey: provider) != nil else { return }
        write()
    }

    /// A suggestion of `provider` ended in a missing record, a failure or a missed deadline.
    ///
    /// - Returns: whether its suggestions must go now.
    func failed(_ provider: String) -> Bool {
        let count = (document.failures[provider] ?? 0) + 1
        let isOver = count >= Self.patience
        document.failures[provider] = isOver ? nil : count
        if isOver, !document.wiped.contains(provider) { document.wiped.append(provider) }
        write()
        return isOver
    }

    /// Whether the suggestions of `provider` were taken away since it was turned on.
    func isWiped(_ provider: String) -> Bool { document.wiped.contains(provider) }

    /// The person turned `provider` on, or off: it begins anew.
    func forget(_ provider: String) {
        guard document.failures[provider] != nil || document.wiped.contains(provider) else { return }
        document.failures[provider] = nil
        document.wiped.removeAll { $0 == provider }
        write()
    }

    private func write() {
        do {
            let bytes = try JSONEncoder().encode(document)
            try FileContents.replace(path, with: Array(bytes) + [UInt8(ascii: "\n")])
        } catch {
            log("\(path) cannot be written: \(error)")
        }
    }
}
