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

    /// The bytes in Base64 for addresses (RFC 4648, section 5), without padding, in time that does not depend on them.
    package var base64URL: SecretBytes {
        SecretBytes(count: (count * 4 + 2) / 3) { room in
            let variant = CInt(sodium_base64_VARIANT_URLSAFE_NO_PADDING)
            // The library ends the text with a zero.
            withSecretScratch(count: sodium_base64_encoded_len(count, variant)) { text in
                guard let start = text.baseAddress?.assumingMemoryBound(to: CChar.self) else { return }
                withUnsafeBytes { _ = sodium_bin2base64(start, text.count, $0.octets, $0.count, variant) }
                room.copyMemory(from: UnsafeRawBufferPointer(rebasing: text[..<room.count]))
            }
        }
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
