import Foundation

/// Whether two pieces of memory hold the same; how long it takes depends on the lengths alone.
func isEqualInConstantTime(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(into: UInt8(0)) { $0 |= $1.0 ^ $1.1 } == 0
}

extension ContiguousBytes {
    /// Compares in time that depends on the lengths alone.
    func isEqual(to other: some ContiguousBytes) -> Bool {
        withUnsafeBytes { left in other.withUnsafeBytes { isEqualInConstantTime(left, $0) } }
    }

    /// A copy of the bytes.
    var copy: [UInt8] { withUnsafeBytes { Array($0) } }
}

extension Sequence<UInt8> {
    /// Two digits a byte.
    var hexadecimal: String {
        let digits = Array("0123456789abcdef")
        return String(flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
