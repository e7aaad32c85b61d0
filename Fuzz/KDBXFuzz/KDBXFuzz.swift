@testable import KeePassDatabases
import KeywayCrypto
import OtherCiphers

/// Whatever a database, what is decrypted of one, or a key file holds, it is read or refused. What lies behind a code that
/// no fuzzer finds is given to its readers directly.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDatabases(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeRawBufferPointer(start: start, count: count)
    guard let first = bytes.first else { return 0 }
    let rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
    var limits = KeePassLimits()
    // A derivation that costs more than next to nothing is refused.
    limits.derivation = DerivationLimits(memory: 1 << 20)
    (limits.derivation.mostWork, limits.derivation.mostRounds) = (1 << 10, 100)
    (limits.longestDocument, limits.mostUnpacked) = (1 << 20, 2 << 20)
    let content = Content(hasHeader: true, longestDocument: limits.longestDocument)
    switch first % 5 {
    case 0:
        if let key = try? KeePassKey(password: SecretBytes(copying: [1]), keyFile: nil) {
            _ = try? KeePassDatabase(rest, key: key, limits: limits)
        }
    case 1: feed(rest, to: content)
    case 2: feed(rest, to: HashedBlocks(start: [1], to: content))
    case 3: if let unpacking = try? Unpacking(most: limits.mostUnpacked, to: content) { feed(rest, to: unpacking) }
    default: _ = try? KeyFile.key(of: SecretBytes(copying: rest))
    }
    return 0
}

/// In two pieces, since nobody knows where a piece ends.
private func feed(_ bytes: UnsafeRawBufferPointer, to sink: any ContentSink) {
    let half = bytes.count / 2
    do {
        try sink.take(UnsafeRawBufferPointer(rebasing: bytes[..<half]))
        try sink.take(UnsafeRawBufferPointer(rebasing: bytes[half...]))
        try sink.end()
    } catch {}
}
