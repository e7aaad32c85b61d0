@testable import Importing

/// Whatever a file holds, it is recognised and read, or refused.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzImports(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeRawBufferPointer(start: start, count: count)
    let source = ImportSource(bytes, now: 1_790_000_000)
    _ = try? Importer.read(source) { _ in }
    // Whatever it is, as rows of one format: what is recognised are few of the possible headers.
    try? Importer.read(source, as: ImportFormat.tables[count % ImportFormat.tables.count].0) { _ in }
    return 0
}
