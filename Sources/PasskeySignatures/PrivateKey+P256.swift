import CLibCrypto
import KeywayCrypto
import WebAuthnValues

/// Keys of P-256 in the form that they are kept in: an ECPrivateKey (RFC 5915) with its public point, in PKCS #8. To
/// sign takes 30 µs, and to open a key by libcrypto's decoders twenty times as long: so this one form, in which all of
/// ours are, is read and written here.
extension PrivateKey {
    /// Version 0, id-ecPublicKey with prime256v1, and an ECPrivateKey of version 1, up to its number of 32 bytes.
    private static let beforeNumber: [UInt8] =
        [0x30, 0x81, 0x87, 0x02, 0x01, 0x00, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
        + [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x04, 0x6D, 0x30, 0x6B, 0x02, 0x01, 0x01]
        + [0x04, 0x20]
    /// Between the number and the public point, which is not compressed.
    private static let beforePoint: [UInt8] = [0xA1, 0x44, 0x03, 0x42, 0x00]
    private static let numberCount = 32
    private static let pointCount = 65

    /// The key with this number, which is one of the group's.
    ///
    /// - Throws: `failed` when libcrypto has no memory.
    static func information(p256 number: SecretBytes) throws(PasskeySignatureError) -> SecretBytes {
        _ = WipedMemory.isInUse
        guard let point = number.withUnsafeBytes({ publicPoint(of: $0) }) else {
            throw PasskeySignatureError(.failed, "public point")
        }
        return SecretBytes(count: beforeNumber.count + number.count + beforePoint.count + point.count) { room in
            let rest = UnsafeMutableRawBufferPointer(rebasing: room[beforeNumber.count...])
            room.copyBytes(from: beforeNumber)
            number.withUnsafeBytes { rest.copyMemory(from: $0) }
            UnsafeMutableRawBufferPointer(rebasing: rest[number.count...]).copyBytes(from: beforePoint + point)
        }
    }

    /// Opens a key of this very form; nil for any other one, and for one whose point is not its number's.
    static func openP256(_ encoded: SecretBytes) -> KeyHandle? {
        let pointStart = beforeNumber.count + numberCount + beforePoint.count
        guard encoded.count == pointStart + pointCount else { return nil }
        return encoded.withUnsafeBytes { bytes -> KeyHandle? in
            let number = UnsafeRawBufferPointer(rebasing: bytes[beforeNumber.count...].prefix(numberCount))
            let point = Array(bytes[pointStart...])
            guard bytes.starts(with: beforeNumber),
                bytes[..<pointStart].suffix(beforePoint.count).elementsEqual(beforePoint),
                isScalar(number), publicPoint(of: number) == point
            else { return nil }
            return withUnsafeTemporaryAllocation(byteCount: numberCount, alignment: 1) { room in
                defer { wipe(room) }
                // Numbers come to the function in the machine's own byte order.
                let isLittleEndian = UInt16(1).littleEndian == 1
                for index in 0..<numberCount { room[isLittleEndian ? numberCount - 1 - index : index] = number[index] }
                return KeyHandle(PublicKey.make(point: point, number: room))
            }
        }
    }

    /// The point of the curve that belongs to a number, not compressed.
    private static func publicPoint(of number: UnsafeRawBufferPointer) -> [UInt8]? {
        guard let group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1) else { return nil }
        defer { EC_GROUP_free(group) }
        let start = number.baseAddress?.assumingMemoryBound(to: UInt8.self)
        guard let factor = BN_bin2bn(start, CInt(number.count), nil) else { return nil }
        defer { BN_clear_free(factor) }
        BN_set_flags(factor, BN_FLG_CONSTTIME)
        guard let point = EC_POINT_new(group) else { return nil }
        defer { EC_POINT_free(point) }
        var bytes = [UInt8](repeating: 0, count: pointCount)
        guard EC_POINT_mul(group, point, factor, nil, nil, nil) == 1,
            EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, &bytes, bytes.count, nil) == bytes.count
        else { return nil }
        return bytes
    }
}
