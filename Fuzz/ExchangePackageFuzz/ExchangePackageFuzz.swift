@testable import CredentialExchange
@testable import ExchangePackages
@testable import HybridEncryption
import KeywayCrypto
@testable import SecretDocuments
import ZipArchives

/// Whatever a message of the exchange protocol holds, it is read or refused. What lies behind a key that no fuzzer finds, the
/// files of a package, is encrypted here.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPackages(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeRawBufferPointer(start: start, count: count)
    guard let first = bytes.first, let keys else { return 0 }
    let rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
    switch first % 5 {
    case 0: _ = try? ExchangeRequest(rest)
    case 1: _ = try? ExchangeResponse(rest).document(for: keys)
    case 2: _ = try? RecipientKeys(SecretBytes(copying: rest))
    case 3: open(index: rest, item: rest)
    default: if let part { _ = try? part.open(rest) }
    }
    return 0
}

private let keys = try? RecipientKeys(random: SystemRandomSource())
private let part: SealedPart? = {
    let suite = RecipientKeys.offered[0]
    guard let key = keys?.key(for: suite.kem),
        let context = try? HPKEContext.sender(suite, to: key.publicKey, info: [], random: SystemRandomSource()).context
    else { return nil }
    return try? SealedPart(context, suite.aead)
}()

/// A package whose index, and whose one document, hold that.
private func open(index: UnsafeRawBufferPointer, item: UnsafeRawBufferPointer) {
    guard let part, let writer = try? ZipWriter(),
        let sealedIndex = try? part.seal(index, random: SystemRandomSource()),
        let sealedItem = try? part.seal(item, random: SystemRandomSource())
    else { return }
    try? writer.add(ExchangeResponse.indexPath, sealedIndex)
    try? writer.add("a", sealedItem)
    guard let archive = try? writer.finish() else { return }
    archive.withUnsafeBytes { bytes in
        guard let document = try? PackageReader(part, archive: bytes).document({ _ in }) else { return }
        // What was put together is a document, or refused as one.
        document.withUnsafeBytes { bytes in _ = try? ExchangeReader(bytes) }
    }
}
