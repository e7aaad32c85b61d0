import AutoFillProtocol
import FoundationEssentials
import Glibc

/// Which providers the person turned on, in their order: a small JSON file in the state folder.
///
/// A choice names the bundle's folder too, so that another bundle with the same identifier is not on because of it, and
/// what the bundle was then, so that what takes its place is not on either.
struct EnabledProviders: Sendable {
    private static let maximumBytes = 1 << 20

    struct Choice: Codable, Hashable, Sendable {
        let identifier: String
        let path: String
        /// Nil in a file that was written before there were records: such a provider counts as changed.
        let record: BundleRecord?
    }

    private struct Document: Codable {
        var version = 1
        var enabled: [Choice]
    }

    private let path: String
    /// What the person chose, in their order.
    private(set) var choices: [Choice]

    /// Reads the file; none is as good as an empty one.
    ///
    /// - Throws: ``ProtocolError`` with the code `damaged` (the file stays as it is), or `system`.
    init(path: String) throws(ProtocolError) {
        self.path = path
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else {
            guard errno == ENOENT else { throw .system("open \(path)", errno) }
            choices = []
            return
        }
        let bytes = try FileContents.read(OwnedDescriptor(file), limit: Self.maximumBytes)
        guard let document = try? JSONDecoder().decode(Document.self, from: Data(bytes)), document.version == 1 else {
            throw ProtocolError(
                .damaged,
                "\(path) cannot be read, so it is not known which providers are on. It was left as it is: "
                    + "repair it, or move it away and enable your providers again.")
        }
        choices = document.enabled
    }

    /// Where in the person's order the bundle in that folder stands; nil when they did not turn it on.
    func position(of bundle: ProviderBundle) -> Int? {
        choices.firstIndex { $0.identifier == bundle.reference.identifier && $0.path == bundle.path }
    }

    /// Turns a bundle on as it is now, at the end or where it stood already.
    ///
    /// - Throws: ``ProtocolError`` with the code `system`; then nothing changed.
    mutating func enable(_ bundle: ProviderBundle, as record: BundleRecord) throws(ProtocolError) {
        let identifier = bundle.reference.identifier
        let choice = Choice(identifier: identifier, path: bundle.path, record: record)
        var changed = choices
        if let index = changed.firstIndex(where: { $0.identifier == identifier }) {
            changed[index] = choice
        } else {
            changed.append(choice)
        }
        try write(changed)
    }

    /// Turns off whatever has that identifier.
    ///
    /// - Throws: ``ProtocolError`` with the code `system`; then nothing changed.
    mutating func disable(_ identifier: String) throws(ProtocolError) {
        try write(choices.filter { $0.identifier != identifier })
    }

    /// Puts these first, in this order; the others follow as they stood.
    ///
    /// - Throws: ``ProtocolError`` with the code `system`; then nothing changed.
    mutating func order(_ identifiers: [String]) throws(ProtocolError) {
        func place(_ choice: Choice) -> Int { identifiers.firstIndex(of: choice.identifier) ?? identifiers.count }
        // Sorting is stable.
        try write(choices.sorted { place($0) < place($1) })
    }

    private mutating func write(_ changed: [Choice]) throws(ProtocolError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let bytes = try? encoder.encode(Document(enabled: changed)) else {
            throw ProtocolError(.internalError, "The choice cannot be written.")
        }
        try FileContents.replace(path, with: Array(bytes) + [UInt8(ascii: "\n")])
        choices = changed
    }
}
