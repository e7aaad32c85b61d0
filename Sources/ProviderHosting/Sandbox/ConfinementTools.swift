import Confinement
import Glibc
import KeywaySystem

/// The programs that confine, and the command lines that run a bundle's program behind them.
struct ConfinementTools: Sendable {
    /// A program and its arguments.
    struct Command: Sendable {
        let path: String
        let arguments: [String]
    }

    /// The program that takes Landlock, the filter of system calls and the limits upon itself.
    static let confineName = "keyway-confine"
    /// The descriptor on which it reports.
    static let report: Int32 = 4

    private let confine: String?
    private let layout: SystemLayout

    /// The programs that lie beside this one.
    ///
    /// - Parameter folder: where files are kept that take the place of the system's list of users inside.
    init(folder: String) {
        let path = KeywayPaths.program(besideOwn: Self.confineName)
        confine = access(String(path), X_OK) == 0 ? String(path) : nil
        let maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC)
        let text = maps < 0 ? [] : (try? FileContents.read(OwnedDescriptor(maps), limit: 1 << 20)) ?? []
        layout = SystemLayout(
            libraryFolders: SystemLayout.libraryFolders(maps: String(decoding: text, as: UTF8.self)),
            accounts: Self.accounts(in: folder))
    }

    /// The command with bubblewrap; nil without `keyway-confine`.
    func enclosed(
        _ enclosure: Enclosure, _ action: ConfineCommand.Action, _ programArguments: [String] = []
    ) -> Command? {
        guard let confine else { return nil }
        let bubblewrap = Bubblewrap(layout: layout, confine: confine)
        var command = bubblewrap.command(enclosure, action, report: Self.report)
        command.programArguments = programArguments
        return Command(path: Bubblewrap.path, arguments: bubblewrap.arguments(enclosure, command))
    }

    /// The command without it; nil without `keyway-confine`.
    func bare(
        of enclosure: Enclosure, _ action: ConfineCommand.Action, needsLandlock: Bool,
        _ programArguments: [String] = []
    ) -> Command? {
        guard let confine else { return nil }
        var command = BareConfinement(layout: layout).command(
            enclosure, action, needsLandlock: needsLandlock, report: Self.report)
        command.programArguments = programArguments
        return Command(path: confine, arguments: command.arguments)
    }

    /// Files in which the person stands alone, so that programs find out who they are and nobody else.
    private static func accounts(in folder: String) -> SystemLayout.Accounts? {
        guard let entry = getpwuid(geteuid())?.pointee else { return nil }
        func text(_ pointer: UnsafeMutablePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
        let name = text(entry.pw_name)
        let users =
            "\(name):x:\(entry.pw_uid):\(entry.pw_gid)::\(text(entry.pw_dir)):\(text(entry.pw_shell))\n"
        let accounts = SystemLayout.Accounts(users: folder + "/passwd", groups: folder + "/group")
        do {
            try PrivateFolder.prepare(folder)
            try FileContents.replace(accounts.users, with: Array(users.utf8))
            try FileContents.replace(accounts.groups, with: Array("\(name):x:\(entry.pw_gid):\n".utf8))
        } catch {
            return nil
        }
        return accounts
    }
}
