import AutoFillProtocol
import FoundationEssentials
import Glibc

/// Which providers the person turned on: a small JSON file in the state folder.
///
/// A choice names the bundle's folder too, so that another bundle with the same identifier is not on because of it.
struct EnabledProviders: Sendable {
    private static let maximumBytes = 1 << 20

    struct Choice: Codable, Hashable, Sendable {
        let identifier: String
        let path: String
    }

    private struct Document: Codable {
        var version = 1
        var enabled: [Choice]
    }

    private let path: String
    /// What the person chose, in the order of choosing.
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

    /// Whether the person turned on the bundle in that folder.
    func contains(_ bundle: ProviderBundle) -> Bool {
        choices.contains(Choice(identifier: bundle.reference.identifier, path: bundle.path))
    }

    /// Records a choice, durably.
    ///
    /// - Throws: ``ProtocolError`` with the code `system`; then nothing changed.
    mutating func set(_ bundle: ProviderBundle, isEnabled: Bool) throws(ProtocolError) {
        var changed = choices.filter { $0.identifier != bundle.reference.identifier }
        if isEnabled { changed.append(Choice(identifier: bundle.reference.identifier, path: bundle.path)) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let bytes = try? encoder.encode(Document(enabled: changed)) else {
            throw ProtocolError(.internalError, "The choice cannot be written.")
        }
        try FileContents.replace(path, with: Array(bytes) + [UInt8(ascii: "\n")])
        choices = changed
    }
}
