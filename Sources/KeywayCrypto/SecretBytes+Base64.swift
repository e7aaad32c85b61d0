import CSodium

extension SecretBytes {
    /// The bytes that `text` stands for: Base64 of RFC 4648 in either alphabet, with padding or without, in time that
    /// does not depend on them; nil for anything else.
    package convenience init?(base64 text: SecretBytes) {
        guard let decoded = text.withUnsafeBytes({ Self.decode($0) }) else { return nil }
        self.init(count: decoded.count) { room in decoded.withUnsafeBytes { room.copyMemory(from: $0) } }
    }

    /// These bytes in Base64 (RFC 4648, section 4), with padding, in time that does not depend on them.
    package var base64: SecretBytes { encoded(CInt(sodium_base64_VARIANT_ORIGINAL)) }

    /// These bytes in Base64 for addresses (RFC 4648, section 5), without padding, in time that does not depend on them.
    package var base64URL: SecretBytes { encoded(CInt(sodium_base64_VARIANT_URLSAFE_NO_PADDING)) }

    private func encoded(_ variant: CInt) -> SecretBytes {
        // The library ends the text with a zero.
        let length = sodium_base64_encoded_len(count, variant)
        return SecretBytes(upTo: length) { room in
            guard let start = room.baseAddress?.assumingMemoryBound(to: CChar.self) else { return 0 }
            withUnsafeBytes { _ = sodium_bin2base64(start, length, $0.octets, $0.count, variant) }
            return length - 1
        }
    }

    private static func decode(_ text: UnsafeRawBufferPointer) -> SecretBytes? {
        var isBase64 = false
        let bytes = SecretBytes(upTo: text.count * 3 / 4 + 1) { room in
            let count = decode(base64: text, into: room)
            isBase64 = count != nil
            return count ?? 0
        }
        return isBase64 ? bytes : nil
    }

    /// Puts the bytes that `text` stands for into memory of the caller, in the same time; with padding or without.
    ///
    /// - Returns: how many they are; nil where the text is none, or the room is too small.
    package static func decode(base64 text: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer) -> Int? {
        var text = text[...]
        while text.last == UInt8(ascii: "=") { text = text.dropLast() }
        // Which alphabet it is, is no secret.
        let isForAddresses = text.contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
        let variant =
            isForAddresses ? sodium_base64_VARIANT_URLSAFE_NO_PADDING : sodium_base64_VARIANT_ORIGINAL_NO_PADDING
        var count = 0
        let status = UnsafeRawBufferPointer(rebasing: text).withMemoryRebound(to: CChar.self) { characters in
            sodium_base642bin(
                room.octets, room.count, characters.baseAddress, characters.count, nil, &count, nil, CInt(variant))
        }
        return status == 0 ? count : nil
    }
}

extension SecretBuffer {
    /// Adds bytes in the usual Base64 (RFC 4648, section 4) with padding, in time that does not depend on them.
    package func append(base64Of bytes: UnsafeRawBufferPointer) {
        let variant = CInt(sodium_base64_VARIANT_ORIGINAL)
        // With the zero at the end of a string of C.
        let most = sodium_base64_encoded_len(bytes.count, variant)
        _ = append(upTo: most) { room in
            let characters = UnsafeMutableRawPointer(room.octets).assumingMemoryBound(to: CChar.self)
            _ = sodium_bin2base64(characters, most, bytes.octets, bytes.count, variant)
            return most - 1
        }
    }
}
