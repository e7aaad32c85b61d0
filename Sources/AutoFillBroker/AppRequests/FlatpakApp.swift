import BrokerBase
import Glibc
import KeywaySystem
import ProviderHosting

/// What Flatpak says of the app in a sandbox: the file `.flatpak-info` at the root of its file system.
struct FlatpakApp: Sendable {
    /// Where the system's administrator installs apps.
    static let installations = ["/var/lib/flatpak"]

    /// The app's identifier, such as `org.example.App`.
    let identifier: String
    /// Where the app's files lie outside the sandbox, as that file says.
    let files: String

    /// The app that `process` is of; nil for a process in no such sandbox.
    init?(of process: PeerProcess) {
        guard let info = DesktopFile.read("/proc/\(process.processIdentifier)/root/.flatpak-info"), process.isRunning
        else {
            return nil
        }
        self.init(info)
    }

    /// What `info` says.
    init?(_ info: DesktopFile) {
        guard let identifier = info["Application", "name"], Self.isIdentifier(identifier) else { return nil }
        self.identifier = identifier
        files = info["Instance", "app-path"] ?? ""
    }

    /// Whether the program is the app's own. Any program can write such a file into a root of its own making, so the
    /// program must be one of those that the administrator installed for that app.
    func vouches(for program: ClientProgram, _ installations: [String]) -> Bool {
        guard let real = DeclaredApplication.resolved(files), program.path.hasPrefix("/app/"),
            installations.contains(where: { real.hasPrefix("\($0)/app/\(identifier)/") })
        else { return false }
        guard let path = DeclaredApplication.resolved("\(real)/\(program.path.dropFirst(5))"),
            path.hasPrefix(real + "/"), !DeclaredApplication.isInterpreter(path), let file = ProgramFile(path: path),
            file.isSameFile(as: program.file)
        else { return false }
        let folder = FilePath.folder(of: path)
        return file.owner == 0 && !file.isWritableByOthers && SystemFolder.isOne(folder)
    }

    /// Letters, digits, `.`, `-` and `_`, as reverse domain names are.
    static func isIdentifier(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count) && text.contains(".") && !text.hasPrefix(".")
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
