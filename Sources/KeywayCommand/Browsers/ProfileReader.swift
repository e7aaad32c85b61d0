import Confinement
import CredentialExchange
import Glibc
package import KeywayCrypto
package import KeywaySystem

/// Reads what a browser has stored in a profile: by `keyway-browser-passwords`, in a sandbox where there is nothing but the
/// files of that profile that it needs.
package struct ProfileReader: Sendable {
    /// Bytes of writable memory, seconds of processor time, and bytes of what it writes.
    private static let limits = ResourceLimits(
        memory: 768 << 20, processes: nil, fileBytes: 129 << 20, descriptors: 64, seconds: 30)
    private static let patience = Duration.seconds(120)

    private let program: String

    /// With the programs that lie beside `program`, or where it is installed.
    package init(program: String) { self.program = program }

    /// Reads a profile.
    ///
    /// - Parameter secret: what opens it: the primary password, or the keys of the login keyring; nil for none.
    /// - Throws: ``CommandError``, ``ProtocolError`` where the reader couldn't be started.
    package func read(
        _ profile: BrowserProfile, _ folder: OwnedDescriptor, secret: SecretBytes?
    ) async throws -> ExportReader.Outcome {
        let (status, returned) = try await run(profile, folder, secret, ["\(profile.browser.family)"])
        switch (status & 0x7F, status >> 8 & 0xFF) {
        case (0, 0): return .document(try SealedDocument(received: returned.descriptor))
        case (0, EX_DATAERR):
            let failure = try returned.received().withUnsafeBytes { ImportFailure($0) }
            return failure.map(ExportReader.Outcome.failure) ?? .ended(status)
        default: return .ended(status)
        }
    }

    /// How many passwords are stored in a profile; nil where that couldn't be found out.
    package func count(_ profile: BrowserProfile) async -> Int? {
        guard let file = try? ExportFile(profile: profile.folder, named: profile.word),
            let (status, returned) = try? await run(
                profile, file.descriptor, nil, ["\(profile.browser.family)", "--count"]),
            status == 0, let memory = try? returned.received()
        else { return nil }
        return try? memory.withUnsafeBytes { Int(String(decoding: $0, as: UTF8.self)) }
    }

    /// The keys that browsers have in the login keyring, a line each; nil where it is locked, or not there.
    package func keyringKeys(
        of profile: BrowserProfile, environment: [String: String]
    ) async throws -> SecretBytes? {
        let path = InstalledFiles(program: program).beside("keyway-store-key")
        let passed = environment.filter { ["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "HOME"].contains($0.key) }
        let returned = try ReturnedMemory()
        let nowhere = OwnedDescriptor(open("/dev/null", O_WRONLY | O_CLOEXEC))
        let child = try ChildProcess(
            path: path, arguments: ["--browser-keys", profile.keyringName], environment: passed,
            channel: returned.descriptor, output: nowhere)
        guard await child.end(within: Self.patience) == 0 else { return nil }
        let keys = try returned.received().withUnsafeBytes { SecretBytes(copying: $0) }
        return keys.isEmpty ? nil : keys
    }

    private func run(
        _ profile: BrowserProfile, _ folder: OwnedDescriptor, _ secret: SecretBytes?, _ arguments: [String]
    ) async throws -> (CInt, ReturnedMemory) {
        let reader = ConfinedReader("keyway-browser-passwords", beside: program, limits: Self.limits)
        let returned = try ReturnedMemory()
        let child = try reader.start(
            folder, channel: returned.descriptor, input: try secret?.attached().descriptor, arguments: arguments,
            environment: profile.browser.family == .firefox ? Self.librariesOfFirefox : [:],
            reading: Self.resolved(profile.files) + ["/dev/urandom"])
        let status = await child.end(within: Self.patience)
        guard !Task.isCancelled else { throw CommandError(.cancelled, Strings.nothingImported) }
        return (status, returned)
    }

    /// Where Firefox's own NSS lies, which knows all that this Firefox writes: that of the system may be older. Only what
    /// nobody but root can write is taken.
    private static var librariesOfFirefox: [String: String] {
        let folders = ["/usr/lib/firefox", "/usr/lib/firefox-esr", "/usr/lib64/firefox", "/usr/lib/mozilla-firefox"]
        let found = folders.first { folder in
            ["", "/libnss3.so", "/libsoftokn3.so"].allSatisfy { name in
                var status = stat()
                return stat(folder + name, &status) == 0 && status.st_uid == 0 && status.st_mode & 0o022 == 0
            }
        }
        return found.map { ["LD_LIBRARY_PATH": $0] } ?? [:]
    }

    /// Paths without links in their folders; a file that is itself a link is left out, and what isn't there.
    private static func resolved(_ paths: [String]) -> [String] {
        paths.compactMap { path in
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, let found = realpath(path, nil) else {
                return nil
            }
            defer { free(found) }
            return String(cString: found)
        }
    }
}
