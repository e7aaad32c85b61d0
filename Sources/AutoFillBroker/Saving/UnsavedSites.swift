import BrokerBase
import KeywaySystem
import Synchronization

/// The settings file with the sites whose passwords are never asked about. The person reads and changes the list, so the
/// names stand in it.
final class UnsavedSites: Sendable {
    struct Document: Codable, Sendable {
        /// The sites, with the number of the decision: the oldest go first.
        var sites: [String: Int] = [:]
        /// The number of the next one.
        var next = 0
    }

    /// The most that are remembered.
    static let most = 1000

    private let file: SettingsFile<Document>
    private let writing = Mutex(())

    /// The file in `folder`.
    init(folder: String, seal: SettingsSeal) {
        file = SettingsFile(
            folder: folder, name: "unsaved.json",
            consequence: "Keyway asks you again whether to save passwords on all sites.", seal: seal)
    }

    /// All of them, sorted.
    ///
    /// - Throws: ``ProtocolError``: `locked`, `system`.
    func list() throws(ProtocolError) -> [String] { try document().sites.keys.sorted() }

    /// Whether nobody is asked about `site`.
    ///
    /// - Throws: as ``list()``.
    func contains(_ site: String) throws(ProtocolError) -> Bool { try document().sites[site] != nil }

    /// Nobody is asked about `site` from now on.
    ///
    /// - Throws: as ``list()``.
    func add(_ site: String) throws(ProtocolError) {
        try change { document in
            document.sites[site] = document.next
            document.next += 1
            if document.sites.count > Self.most, let oldest = document.sites.min(by: { $0.value < $1.value }) {
                document.sites[oldest.key] = nil
            }
        }
    }

    /// The person is asked about `site` again; false where they were all the time.
    ///
    /// - Throws: as ``list()``.
    func remove(_ site: String) throws(ProtocolError) -> Bool {
        guard try contains(site) else { return false }
        try change { $0.sites[site] = nil }
        return true
    }

    private func document() throws(ProtocolError) -> Document { try file.read(or: Document()) }

    private func change(_ body: (inout Document) -> Void) throws(ProtocolError) {
        try writing.withLock { _ throws(ProtocolError) in
            var document = try document()
            body(&document)
            try file.write(document)
        }
    }
}
