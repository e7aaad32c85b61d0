import AutoFillProtocol
import FoundationEssentials
import Glibc
import KeywayCrypto
import KeywaySystem

/// Records which settings files exist and how often each was written, so that a newly started broker also notices a
/// file that was removed or replaced by an older copy. It is a file next to them, with its own authentication code.
struct SettingsRegister: Codable, Equatable, Sendable {
    /// The file's name.
    static let name = "register.json"
    static let maximumBytes = 1 << 20

    /// Which counter a file exceeds that is not in ``files``: 0, or, once a register was lost, the time of that in
    /// milliseconds since 1970, or the highest counter that any file had then. No file that was written before has such a
    /// counter.
    var floor: UInt64 = 0
    /// The highest counter of each file, by its name.
    var files: [String: UInt64] = [:]

    /// The newest versions of the files of providers, by their identifiers; the one that was noted last comes first.
    /// Nil where none was ever noted.
    var versions: [String: [Version]]?

    /// The newest version of one file of a provider.
    struct Version: Codable, Equatable, Sendable {
        let file: String
        let version: UInt64
    }

    /// The newest version of a file of `provider` that was noted; nil where none was.
    func version(of file: String, _ provider: String) -> UInt64? {
        versions?[provider]?.first { $0.file == file }?.version
    }

    /// Remembers a version of a file of `provider`.
    ///
    /// - Returns: whether that is news; an older version is none.
    mutating func note(_ version: UInt64, of file: String, _ provider: String) -> Bool {
        guard version > self.version(of: file, provider) ?? 0 else { return false }
        var own = versions?[provider] ?? []
        own.removeAll { $0.file == file }
        own.insert(Version(file: file, version: version), at: 0)
        versions = (versions ?? [:]).merging([provider: Array(own.prefix(NotedVersions.maximumFiles))]) { $1 }
        return true
    }

    /// The least counter with which the file `name` is believed; 0 if it need not be there.
    func least(_ name: String) -> UInt64 { files[name] ?? (floor == 0 ? 0 : floor + 1) }

    /// One that begins anew where there was one before: from now on only what is written from now on is believed.
    ///
    /// - Parameters:
    ///   - time: the calendar's, in milliseconds since 1970.
    ///   - highest: the highest counter of all files that are there: the calendar may have been set back since.
    static func lost(at time: UInt64, highest: UInt64) -> SettingsRegister {
        SettingsRegister(floor: max(1, time, highest))
    }

    /// The register in `folder`, and its own counter; nil where there is none that is believed.
    static func read(in folder: String, key: SecretKey) -> (register: SettingsRegister, counter: UInt64)? {
        let file = open("\(folder)/\(name)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0, let bytes = try? FileContents.read(OwnedDescriptor(file), limit: maximumBytes),
            let (counter, body) = SettingsForm.read(bytes, name: name, key: key),
            let register = try? JSONDecoder().decode(SettingsRegister.self, from: Data(body))
        else { return nil }
        return (register, counter)
    }

    /// Puts it in the place of the one in `folder`.
    ///
    /// - Throws: ``ProtocolError`` with the code `system`.
    func write(
        in folder: String, counter: UInt64, key: SecretKey, durability: FileContents.Durability
    ) throws(ProtocolError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let body = try? encoder.encode(self),
            let bytes = SettingsForm.make(
                Self.name, counter: counter, body: Array(body) + [UInt8(ascii: "\n")], key: key)
        else { throw ProtocolError(.internalError, "\(folder)/\(Self.name) cannot be written.") }
        try FileContents.replace("\(folder)/\(Self.name)", with: bytes, durability: durability)
    }
}
