@testable import ProviderHosting

/// Any file in the place of an `Info.plist` is taken or refused.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPropertyLists(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    _ = try? InfoPropertyList(bytes: Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
