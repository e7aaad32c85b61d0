import KeywayCrypto

/// What an unlocked vault holds in memory; gone, and wiped, once it is locked.
final class VaultContents {
    var header: VaultHeader
    let keys: VaultKeys
    var manifest: Manifest
    /// The manifest as the store has it: a change is only made on top of exactly that.
    var sealedManifest: [UInt8]
    let index: SearchIndex

    init(header: VaultHeader, keys: VaultKeys, manifest: Manifest, sealedManifest: [UInt8], index: SearchIndex) {
        self.header = header
        self.keys = keys
        self.manifest = manifest
        self.sealedManifest = sealedManifest
        self.index = index
    }
}
