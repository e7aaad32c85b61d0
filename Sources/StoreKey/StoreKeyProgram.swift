import AutoFillWire
import Glibc
import KeywayCrypto
import KeywaySystem

/// The program `keyway-store-key`: opens the key of the identity stores in a folder, or makes one, and hands it over.
package enum StoreKeyProgram {
    /// What `--help` prints: the specification of the program's arguments.
    package static let help = """
        keyway-store-key, started by keywayd: opens the key under which the identity stores are sealed, or makes one, and
        hands it over in the memory file that it got as descriptor 3. It is of no use by hand.

        Usage:
          keyway-store-key FOLDER   the folder of the identity stores
          keyway-store-key --browser-keys NAME   the keys that browsers of Chromium's family have in the login keyring, a
                                    line each, that of the application NAME first; for keyway import
          keyway-store-key --help | --version

        Files, in FOLDER:
          store-key.json   where the key is: tpm2, keyring or file
          store-key.tpm2   the key, sealed by the TPM
          store-key.bin    the key itself, where there is neither TPM nor keyring

        Environment:
          KEYWAY_TPM2   where the TPM is, as tpm2-tss writes it; device:/dev/tpmrm0 where it is missing

        Exit status: 0 answered, 1 failed, 64 wrong arguments, 75 the login keyring is locked, or there is none.
        """

    /// Runs the program; returns never.
    package static func main(_ arguments: [String]) -> Never {
        switch arguments.dropFirst().first {
        case "--help", "-h": finish(0, help)
        case "--version": finish(0, "keyway-store-key \(ProtocolVersion.release)")
        case let folder? where arguments.count == 2 && folder.hasPrefix("/"): answer(folder)
        case "--browser-keys" where arguments.count == 3: answerBrowserKeys(arguments[2])
        default: finish(64, "keyway-store-key: unknown arguments; see keyway-store-key --help", STDERR_FILENO)
        }
    }

    private static func answer(_ folder: String) -> Never {
        do {
            try ProcessHardening.apply()
            try PrivateFolder.check(folder)
            let keeper = KeyKeeper(folder: folder, sources: sources(folder, ProcessEnvironment.current))
            let (handover, key) = keeper.open()
            let buffer = SecretBuffer()
            try handover.line().withUnsafeBytes { buffer.append($0) }
            if let key { buffer.append(key.bytes) }
            try buffer.withUnsafeBytes { bytes in
                try ReturnedMemory.fill(OwnedDescriptor(3), with: bytes)
            }
            exit(EXIT_SUCCESS)
        } catch {
            finish(1, "keyway-store-key: \((error as? ProtocolError)?.message ?? "\(error)")", STDERR_FILENO)
        }
    }

    private static func answerBrowserKeys(_ name: String) -> Never {
        do {
            try ProcessHardening.apply()
            let keyring = LoginKeyring(hasBus: hasBus(ProcessEnvironment.current))
            let buffer = SecretBuffer()
            for key in try keyring.browserKeys(first: name) {
                buffer.append(key)
                buffer.append(UInt8(ascii: "\n"))
            }
            try buffer.withUnsafeBytes { bytes in
                try ReturnedMemory.fill(OwnedDescriptor(3), with: bytes)
            }
            exit(EXIT_SUCCESS)
        } catch let error as KeySourceError {
            finish(EX_TEMPFAIL, "keyway-store-key: \(error.detail)", STDERR_FILENO)
        } catch {
            finish(1, "keyway-store-key: \((error as? ProtocolError)?.message ?? "\(error)")", STDERR_FILENO)
        }
    }

    /// The sources, the best first.
    private static func sources(_ folder: String, _ environment: [String: String]) -> [any KeySource] {
        [
            TrustedPlatformModule(folder: folder, address: environment["KEYWAY_TPM2"] ?? "device:/dev/tpmrm0"),
            LoginKeyring(hasBus: hasBus(environment)), KeyFile(folder: folder),
        ]
    }

    /// Whether there is a session bus: the one that is named, or the one that systemd keeps for the person, which a
    /// session over SSH has too.
    private static func hasBus(_ environment: [String: String]) -> Bool {
        if environment["DBUS_SESSION_BUS_ADDRESS"] != nil { return true }
        return environment["XDG_RUNTIME_DIR"].map { access("\($0)/bus", F_OK) == 0 } ?? false
    }

    private static func finish(_ status: CInt, _ text: String, _ stream: CInt = STDOUT_FILENO) -> Never {
        let line = Array((text + "\n").utf8)
        _ = write(stream, line, line.count)
        exit(status)
    }
}
