import KeywayCrypto

@testable import Vault

/// The law: a header that is read is written back byte for byte, but for the code and the checksum at its end.
///
/// The input is a header without its last 48 bytes; the checksum is made right, since no fuzzer would ever guess it.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    var header = Array(UnsafeBufferPointer(start: data, count: count)) + [UInt8](repeating: 0, count: 32)
    header += header.withUnsafeBytes { Digest.blake2b($0, count: 16) }
    guard let read = try? header.withUnsafeBytes({ try VaultHeader($0) }) else { return 0 }
    _ = try? read.passwordSlot().check()
    let key = SecretKey(SecretBytes(count: SecretKey.count) { _ in })
    precondition(read.bytes(under: key).dropLast(48) == header.dropLast(48))
    return 0
}
