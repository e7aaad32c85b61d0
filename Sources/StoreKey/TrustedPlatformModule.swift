import AutoFillProtocol
import CTSS2
import Glibc
import KeywayCrypto

/// The best of the sources: the key is sealed by the machine's TPM 2, under the storage key of the owner's hierarchy.
///
/// There is no policy over platform registers: they change with every update of firmware or kernel, and the key would be
/// lost each time. So the disk alone tells nothing; the whole machine, started from something else, does.
struct TrustedPlatformModule: KeySource {
    let folder: String
    /// Where the TPM is, as tpm2-tss writes it, such as `device:/dev/tpmrm0`.
    let address: String

    var kind: BrokerStatus.StoreKeyState.Source { .tpm2 }

    var name: String { "The TPM" }

    var obstacle: String? {
        guard let path = devicePath else { return nil }
        if access(path, F_OK) != 0 { return "This computer has no TPM 2 (\(path))." }
        if access(path, R_OK | W_OK) != 0 {
            return "There is a TPM 2, but only the group of \(path) (tss) can use it, and you aren't a member."
        }
        return nil
    }

    private var path: String { "\(folder)/store-key.tpm2" }

    private var devicePath: String? {
        address.hasPrefix("device:") ? String(address.dropFirst("device:".count)) : nil
    }

    func keep(_ key: SecretKey, identifier: String) throws(KeySourceError) -> String? {
        let session = try connected()
        defer { session.close() }
        let blob = try session.seal(key)
        try blob.lend { (bytes) throws(KeySourceError) in try KeyFile.replace(path, with: bytes) }
        return nil
    }

    func open(_ record: KeyRecord) throws(KeySourceError) -> SecretKey {
        guard let blob = try KeyFile.read(path, limit: 4096) else {
            throw KeySourceError(.lost, "What the TPM had sealed is gone.")
        }
        let session = try connected()
        defer { session.close() }
        return try session.unseal(blob)
    }

    private func connected() throws(KeySourceError) -> TPMSession {
        if let obstacle { throw KeySourceError(.unavailable, obstacle) }
        return try TPMSession(address: address)
    }
}
