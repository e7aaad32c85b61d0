import BrokerBase
import KeywaySystem

/// The providers that Keyway itself brings, in the installation of this broker, where root alone can change both.
///
/// Whoever can put another one there can replace the broker as well: what it declares is no question to the person
/// (`Docs/decisions/0074-own-providers-after-an-upgrade.md`).
struct OwnProviders: Sendable {
    /// What Keyway brings. Packages of others put theirs into the same folder.
    static let identifiers: Set = ["org.keyway.passwords", "org.keyway.password-store"]

    /// Where they lie; nil where there are none.
    private let folder: String?

    /// Those that were installed with this process's program.
    static let ofThisProcess = OwnProviders(program: KeywayPaths.ownProgram())
    /// None at all.
    static let none = OwnProviders(program: nil)

    /// Those that were installed with `program`, where both it and its folder are root's alone.
    ///
    /// - Parameter isRoots: whether nobody but root can change a program.
    init(program: String?, isRoots: (String) -> Bool = Self.isRoots) {
        guard let program, let prefix = Installation(program: program)?.prefix, isRoots(program) else {
            folder = nil
            return
        }
        folder = "\(prefix)/share/keyway/providers"
    }

    /// Whether the bundle is one of them. That its files are root's alone is looked at by whoever asks.
    func contains(_ bundle: ProviderBundle) -> Bool {
        guard let folder, Self.identifiers.contains(bundle.reference.identifier) else { return false }
        return bundle.scope == .system && FilePath.folder(of: bundle.path) == folder
    }

    static func isRoots(_ program: String) -> Bool {
        guard let file = ProgramFile(path: program), file.owner == 0, !file.isWritableByOthers else { return false }
        return SystemFolder.isOne(FilePath.folder(of: program))
    }
}
