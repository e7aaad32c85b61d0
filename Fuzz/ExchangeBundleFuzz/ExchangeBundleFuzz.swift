@testable import CredentialExchange

/// Whatever stands behind a document, what is in files lies within the bytes and behind the document, or it is refused; and a
/// bundle that was read says the same once it was written again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzBundles(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeRawBufferPointer(start: start, count: count)
    guard let bundle = try? ExchangeBundle(bytes) else { return 0 }
    var (places, written) = ([(hash: [UInt8], place: Range<Int>)](), Array(bundle.document))
    for hash in bundle.hashes {
        guard let content = bundle[hash] else { preconditionFailure("it is there") }
        // Reads all of it: the sanitizer sees what lies outside.
        let copy = Array(content)
        places.append((hash, written.count..<written.count + copy.count))
        written += copy
        if written.count > 1 << 20 { return 0 }
    }
    written += ExchangeBundle.end(document: bundle.document.count, table: written.count, places)
    written.withUnsafeBytes { bytes in
        guard let again = try? ExchangeBundle(bytes) else { preconditionFailure("it is a bundle") }
        precondition(again.document.elementsEqual(bundle.document) && again.count == bundle.count, "the same")
        for hash in bundle.hashes {
            precondition(again[hash]?.elementsEqual(bundle[hash] ?? bytes) == true, "the same files")
        }
    }
    return 0
}
