import FoundationEssentials

@testable import RelatedOrigins

/// What a site says of its other origins and of its apps is read or refused, and what is read fits on lines, of which
/// there are not too many.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSiteDocuments(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let document = Data(UnsafeBufferPointer(start: start, count: count))
    for (lines, longest) in [
        (RelatedOriginDocument.origins(in: document), RelatedOriginDocument.longestOrigin),
        (AppDocument.apps(in: document), AppDocument.longestName),
    ] {
        guard let lines else { continue }
        precondition(lines.count <= 256, "too many")
        for line in lines {
            precondition((1...longest).contains(line.utf8.count), "too long, or nothing")
            precondition(line.utf8.allSatisfy { (0x20..<0x7f).contains($0) }, "no line")
        }
    }
    return 0
}
