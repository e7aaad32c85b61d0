package import BrokerBase
package import KeywaySystem
import Synchronization

/// The folders that the processes of one bundle share (`KeywayGroup`), in the person's data folder.
///
/// A group belongs permanently to the bundle that was first turned on with it: what one bundle left there is never
/// given to another, even after the first is removed. A file next to the folders records their owners.
package final class GroupFolders: Sendable {
    private struct Owner: Codable, Equatable {
        let identifier: String
        let scope: KeywayPaths.ProviderFolder.Scope
    }

    private static let start = "group."
    private let folder: String
    private let seal: SettingsSeal
    private let files = Mutex<[String: SettingsFile<Owner>]>([:])

    /// The groups in `folder`.
    package init(folder: String, seal: SettingsSeal) {
        self.folder = folder
        self.seal = seal
    }

    /// Whether the text can name a group: `group.` and what can name a provider.
    static func isName(_ text: String) -> Bool {
        text.hasPrefix(start) && text.utf8.count > start.utf8.count && BundleJudge.isIdentifier(text)
    }

    /// Makes the bundle the owner of the group that it names, if it names one.
    ///
    /// - Throws: ``ProtocolError``: `refused` when the group is another bundle's, or when a bundle of the person names
    ///   what belongs to one of the system.
    package func claim(for bundle: ProviderBundle) throws(ProtocolError) {
        guard let group = bundle.group else { return }
        let owner = Owner(identifier: bundle.reference.identifier, scope: bundle.scope)
        guard let known = try self.owner(of: group) else { return try write(owner, of: group) }
        guard known.identifier == owner.identifier, known.scope == .user || owner.scope == .system else {
            throw ProtocolError(
                .refused,
                "\(bundle.reference.name) can't share the folder \(group): it belongs to \(known.identifier) of the "
                    + (known.scope == .system ? "system." : "person."), provider: bundle.reference.identifier)
        }
        if known != owner { try write(owner, of: group) }
    }

    /// The folder of `group`, for a process of `bundle`; made when it is not there.
    ///
    /// - Throws: ``ProtocolError``: `refused` when the bundle names no such group or another one owns it.
    package func container(_ group: String, for bundle: ProviderBundle) throws(ProtocolError) -> String {
        guard bundle.group == group else {
            throw ProtocolError(.refused, "The bundle doesn't name that group.", provider: bundle.reference.identifier)
        }
        try claim(for: bundle)
        let path = "\(folder)/\(group)"
        try PrivateFolder.prepare(path)
        return path
    }

    // MARK: - Whose it is

    private func file(_ group: String) -> SettingsFile<Owner> {
        files.withLock { files in
            if let file = files[group] { return file }
            let file = SettingsFile<Owner>(
                folder: folder, name: ".owners/\(group)",
                consequence: "it is not known whose \(group) is, so nobody gets it. Remove that file, and \(folder)/"
                    + "\(group) too unless you know who wrote what it holds.", seal: seal, maximumBytes: 1 << 12,
                mayBeRemoved: true)
            files[group] = file
            return file
        }
    }

    private func owner(of group: String) throws(ProtocolError) -> Owner? {
        do throws(ProtocolError) {
            return try file(group).read()
        } catch {
            throw error.code == .damaged ? ProtocolError(.refused, error.message) : error
        }
    }

    private func write(_ owner: Owner, of group: String) throws(ProtocolError) {
        try PrivateFolder.prepare(folder)
        try PrivateFolder.prepare(folder + "/.owners")
        try file(group).write(owner)
    }
}
