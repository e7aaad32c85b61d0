import Foundation
public import PassEntries

/// All entries of a store, decrypted one after another by gpg, for an import into another manager.
public struct StoreExport: Sendable {
    /// Of variables that the import was started with, those that gpg and its pinentry get beside the usual ones.
    static let passedOn: Set<String> = [
        "GPG_TTY", "TERM", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "LC_CTYPE",
        "LC_MESSAGES",
    ]

    private let gpg: GnuPG

    /// An export with the settings that the environment of this process names, and the variables that a pinentry needs.
    public init() { self.init(environment: StoreSettings.inherited) }

    init(environment: [String: String]) {
        let variables = environment.filter { Self.passedOn.contains($0.key) }
        gpg = GnuPG(StoreSettings.current(environment: environment), and: variables)
    }

    /// Decrypts the entries below the folder that is open as `root`. An entry that can't be read is told, and the others
    /// go on; once the person didn't unlock a key, they aren't asked again.
    ///
    /// - Parameter take: gets the kind, the name and the contents, or the reason, of each; false ends the export.
    public func run(
        root: CInt, _ take: (EntryBundle.Kind, String, UnsafeRawBufferPointer) -> Bool
    ) async {
        let files = StoreFiles(root: root)
        for (name, reason) in files.skipped where !Self.tell(name, reason, take) { return }
        var unlocking = GnuPG.Unlocking.pinentry
        for name in files.entries {
            do {
                let contents = try await gpg.decrypt(try files.contents(of: name), unlocking)
                guard contents.withBytes({ take(.contents, name.text, $0) }) else { return }
            } catch let error as StoreError {
                if error == .locked { unlocking = .never }
                guard Self.tell(name.text, error.reason, take) else { return }
                if case .missingProgram = error { return }
            } catch {
                return
            }
        }
    }

    private static func tell(
        _ name: String, _ reason: String, _ take: (EntryBundle.Kind, String, UnsafeRawBufferPointer) -> Bool
    ) -> Bool {
        Array(reason.utf8).withUnsafeBytes { take(.reason, name, $0) }
    }
}
