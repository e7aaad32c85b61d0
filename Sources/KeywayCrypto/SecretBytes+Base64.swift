import CSodium

extension SecretBytes {
    /// The bytes that `text` stands for: Base64 of RFC 4648 in either alphabet, with padding or without, in time that
    /// does not depend on them; nil for anything else.
    package convenience init?(base64 text: SecretBytes) {
        let decoded: SecretBytes? = text.withUnsafeBytes { text in
            var text = text[...]
            while text.last == UInt8(ascii: "=") { text = text.dropLast() }
            return Self.decode(UnsafeRawBufferPointer(rebasing: text))
        }
        guard let decoded else { return nil }
        self.init(count: decoded.count) { room in decoded.withUnsafeBytes { room.copyMemory(from: $0) } }
    }

    private static func decode(_ text: UnsafeRawBufferPointer) -> SecretBytes? {
        // Which alphabet it is, is no secret.
        let isForAddresses = text.contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
        let variant =
            isForAddresses ? sodium_base64_VARIANT_URLSAFE_NO_PADDING : sodium_base64_VARIANT_ORIGINAL_NO_PADDING
        var isBase64 = false
        let bytes = SecretBytes(upTo: text.count * 3 / 4 + 1) { room in
            var count = 0
            let status = text.withMemoryRebound(to: CChar.self) { characters in
                sodium_base642bin(
                    room.octets, room.count, characters.baseAddress, characters.count, nil, &count, nil,
                    CInt(variant))
            }
            isBase64 = status == 0
            return isBase64 ? count : 0
        }
        return isBase64 ? bytes : nil
    }
}
