import AutoFillWire
import BrokerBase
import Glibc
import KeywaySystem

/// The group that Keyway's own programs run with where they are installed for the whole system (setgid): no other
/// program can have it, so the kernel's word about a connection names them.
struct KnownGroup: Sendable {
    /// Its number; nil where there is no such group, or where it proves nothing.
    let identifier: gid_t?
    /// Why it proves nothing, in a sentence; nil where it does, or where nothing says that there should be one.
    let problem: String?

    /// No group.
    static let none = KnownGroup(identifier: nil, problem: nil)

    /// The group that `file` names, if `file` was written by the system's administrator.
    ///
    /// - Parameter file: one line, the group's name or number.
    init(file: String) {
        guard let name = Self.name(in: file) else { self = .none; return }
        guard let identifier = Self.identifier(name) else {
            self.init(
                identifier: nil, problem: "\(file) names the group \(DisplayText.line(name)), which doesn't exist.")
            return
        }
        guard !Self.isMember(identifier) else {
            self.init(
                identifier: nil,
                problem:
                    "You are a member of the group \(DisplayText.line(name)), so any of your programs could pose as "
                    + "part of Keyway. To leave the group: gpasswd --delete USER \(DisplayText.line(name))")
            return
        }
        self.init(identifier: identifier, problem: nil)
    }

    init(identifier: gid_t?, problem: String?) {
        self.identifier = identifier
        self.problem = problem
    }

    /// The group of the programs that were installed with this one.
    static func installed() -> KnownGroup {
        guard let installation = Installation.current else { return .none }
        return KnownGroup(file: installation.groupFile)
    }

    /// Checks that this process runs with the group, where it was installed with one.
    ///
    /// - Throws: ``ProtocolError`` with the code `refused` where the kernel did not give it the group. A process that
    ///   somebody traced as it was started is one that they can make do what they like, and it is told what people hide.
    func requireOwn() throws(ProtocolError) {
        guard identifier != nil, !ProgramGroup.isWorn else { return }
        throw ProtocolError(
            .refused,
            "keywayd was installed with a group but doesn't run with it, so it stops. Don't start it under a debugger, "
                + "without new privileges (NoNewPrivileges of systemd, no_new_privs), or from a file system that is "
                + "mounted nosuid.")
    }

    /// Whether the kernel said that the process had the group when it connected.
    func covers(_ peer: PeerIdentity?) -> Bool {
        guard let identifier, let peer else { return false }
        return peer.groupIdentifier == identifier
    }

    private static func name(in file: String) -> String? {
        let folder = FilePath.folder(of: file)
        guard SystemFolder.isOne(folder), let mark = ProgramFile(path: file), mark.owner == 0, !mark.isWritableByOthers
        else { return nil }
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0, let bytes = try? FileContents.read(OwnedDescriptor(descriptor), limit: 256) else {
            return nil
        }
        let name = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first.map(String.init) ?? ""
        return name.isEmpty ? nil : name
    }

    private static func identifier(_ name: String) -> gid_t? {
        if let number = gid_t(name) { return number }
        return getgrnam(name)?.pointee.gr_gid
    }

    /// Whether this process, or the login of its user, has the group anyway. Root has every group, and needs none.
    private static func isMember(_ identifier: gid_t) -> Bool {
        if getgid() == identifier || getegid() == identifier { return true }
        var groups = [gid_t](repeating: 0, count: 1024)
        let count = getgroups(CInt(groups.count), &groups)
        if groups.prefix(max(0, Int(count))).contains(identifier) { return true }
        guard let user = getpwuid(geteuid()) else { return false }
        var total = CInt(groups.count)
        guard getgrouplist(user.pointee.pw_name, user.pointee.pw_gid, &groups, &total) >= 0 else { return false }
        return groups.prefix(Int(total)).contains(identifier)
    }
}
