package import AutoFillProtocol
import BrokerBase
import Glibc
package import KeywayCrypto
package import KeywaySystem
import Synchronization

/// What came of asking for the store key.
package struct StoreKeyAnswer: Sendable {
    /// The key; nil while it cannot be opened.
    package let key: SecretKey?
    /// Where it comes from.
    package let source: BrokerStatus.StoreKeyState.Source?
    /// Whether it is a new one.
    package let isNew: Bool
    /// Why a better source is not used, or what is wrong, in a sentence.
    package let detail: String?

    /// An answer by its parts.
    package init(
        key: SecretKey?, source: BrokerStatus.StoreKeyState.Source?, isNew: Bool = false, detail: String? = nil
    ) {
        self.key = key
        self.source = source
        self.isNew = isNew
        self.detail = detail
    }
}

/// Provides the key of the identity stores. A seam: tests have their own source.
package protocol StoreKeySource: Sendable {
    /// Asks for the key; takes as long as the TPM or the keyring takes.
    func fetch() async -> StoreKeyAnswer
}

/// The program `keyway-store-key`, which talks to the TPM and to the keyring so that the broker needs neither of their
/// libraries. It runs once for each question and hands the key over in a sealed memory file.
package struct StoreKeyProcess: StoreKeySource {
    /// How long it may take: a keyring on the session bus may have to be started first.
    private static let patience = Duration.seconds(15)

    private let path: String
    private let folder: String
    private let environment: [String: String]
    private let clock: any TimeSource

    /// The program at `path`, which keeps what it needs in `folder`.
    ///
    /// - Parameter environment: that of the broker; only what leads to the session bus and to the TPM is passed on.
    package init(path: String, folder: String, environment: [String: String], clock: any TimeSource) {
        self.path = path
        self.folder = folder
        self.clock = clock
        self.environment = environment.filter { name, _ in
            ["HOME", "PATH", "LANG", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "KEYWAY_TPM2"].contains(name)
        }
    }

    /// The program beside this one.
    package static func besideThisProgram(
        folder: String, environment: [String: String], clock: any TimeSource
    ) -> StoreKeyProcess {
        StoreKeyProcess(
            path: KeywayPaths.program(besideOwn: "keyway-store-key"), folder: folder, environment: environment,
            clock: clock)
    }

    package func fetch() async -> StoreKeyAnswer {
        do {
            let memory = try ReturnedMemory()
            let child = try ChildProcess(
                path: path, arguments: [folder], environment: environment, channel: memory.descriptor)
            let status = await end(of: child)
            guard status == 0 else {
                throw ProtocolError(.system, "keyway-store-key ended with \(ChildProcess.describe(status: status)).")
            }
            let (handover, key) = try memory.received().withUnsafeBytes { bytes in
                try StoreKeyHandover.read(bytes) { SecretKey(SecretBytes(copying: $0)) }
            }
            return StoreKeyAnswer(
                key: key, source: handover.source, isNew: handover.isNew, detail: handover.detail)
        } catch {
            return StoreKeyAnswer(key: nil, source: nil, detail: (error as? ProtocolError)?.message ?? "\(error)")
        }
    }

    private func end(of child: ChildProcess) async -> CInt {
        let deadline = Task { [clock] in
            try await clock.sleep(for: Self.patience)
            child.send(signal: SIGKILL)
        }
        defer { deadline.cancel() }
        return await withCheckedContinuation { continuation in
            child.onExit { continuation.resume(returning: $0) }
        }
    }
}
