@testable import QRReading

/// A picture is read or refused, and looked through for codes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPictures(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let file = UnsafeRawBufferPointer(start: start, count: count)
    // What is large only takes longer.
    guard let picture = try? GreyPicture(file), picture.points.count <= 1 << 18 else { return 0 }
    precondition(picture.points.count == picture.width * picture.height, "all of it")
    for text in (try? QRScanner.texts(in: picture)) ?? [] { _ = text.withUnsafeBytes(QRReaderCommand.isLink) }
    return 0
}
