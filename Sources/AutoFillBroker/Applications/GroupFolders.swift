import AutoFillProtocol
import FoundationEssentials
import Glibc

/// The folders that the processes of one bundle share (`KeywayGroup`), in the person's data folder.
///
/// A group belongs to the bundle that was first turned on with it, for good: what one bundle left there is never handed
/// to another one, even after the first is gone. Beside the folders stands whose each of them is.
struct GroupFolders: Sendable {
    private struct Owner: Codable, Equatable {
        let identifier: String
        let scope: KeywayPaths.ProviderFolder.Scope
    }

    private static let start = "group."
    private let folder: String

    /// The groups in `folder`.
    init(folder: String) {
        self.folder = folder
    }

    /// Whether the text can name a group: `group.` and what can name a provider.
    static func isName(_ text: String) -> Bool {
        text.hasPrefix(start) && text.utf8.count > start.utf8.count && BundleJudge.isIdentifier(text)
    }

    /// Makes the bundle the owner of the group that it names, if it names one.
    ///
    /// - Throws: ``ProtocolError``: `refused` when the group is another bundle's, or when a bundle of the person names
    ///   what belongs to one of the system.
    func claim(for bundle: ProviderBundle) throws(ProtocolError) {
        guard let group = bundle.group else { return }
        let owner = Owner(identifier: bundle.reference.identifier, scope: bundle.scope)
        guard let known = try self.owner(of: group) else { return try write(owner, of: group) }
        guard known.identifier == owner.identifier, known.scope == .user || owner.scope == .system else {
            throw ProtocolError(
                .refused,
                "\(bundle.reference.name) cannot share the folder \(group): it belongs to \(known.identifier) of the "
                    + (known.scope == .system ? "system." : "person."), provider: bundle.reference.identifier)
        }
        if known != owner { try write(owner, of: group) }
    }

    /// The folder of `group`, for a process of `bundle`; made when it is not there.
    ///
    /// - Throws: ``ProtocolError``: `refused` when the bundle names no such group or another one owns it.
    func container(_ group: String, for bundle: ProviderBundle) throws(ProtocolError) -> String {
        guard bundle.group == group else {
            throw ProtocolError(.refused, "The bundle names no such group.", provider: bundle.reference.identifier)
        }
        try claim(for: bundle)
        let path = "\(folder)/\(group)"
        try PrivateFolder.prepare(path)
        return path
    }

    // MARK: - Whose it is

    private func ownerPath(_ group: String) -> String { "\(folder)/.owners/\(group)" }

    private func owner(of group: String) throws(ProtocolError) -> Owner? {
        let path = ownerPath(group)
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else {
            guard errno == ENOENT else { throw .system("open \(path)", errno) }
            return nil
        }
        let bytes = try FileContents.read(OwnedDescriptor(file), limit: 1 << 12)
        guard let owner = try? JSONDecoder().decode(Owner.self, from: Data(bytes)) else {
            throw ProtocolError(
                .refused, "\(path) cannot be read, so it is not known whose \(group) is. Repair it or remove both.")
        }
        return owner
    }

    private func write(_ owner: Owner, of group: String) throws(ProtocolError) {
        try PrivateFolder.prepare(folder)
        try PrivateFolder.prepare(folder + "/.owners")
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        guard let bytes = try? encoder.encode(owner) else {
            throw ProtocolError(.internalError, "The owner of a group cannot be written.")
        }
        try FileContents.replace(ownerPath(group), with: Array(bytes) + [UInt8(ascii: "\n")])
    }
}
