extension SecretBytes {
    /// The bytes that hexadecimal digits stand for, two for each; nil for anything else.
    package convenience init?(hexadecimal text: SecretBytes) {
        let isText = text.withUnsafeBytes { text in
            text.count % 2 == 0 && text.allSatisfy { Self.value(ofDigit: $0) != nil }
        }
        guard isText else { return nil }
        self.init(count: text.count / 2) { room in
            text.withUnsafeBytes { text in
                for index in room.indices {
                    let (high, low) = (Self.value(ofDigit: text[2 * index]), Self.value(ofDigit: text[2 * index + 1]))
                    room[index] = (high ?? 0) << 4 | (low ?? 0)
                }
            }
        }
    }

    private static func value(ofDigit digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46: digit - 0x41 + 10
        case 0x61...0x66: digit - 0x61 + 10
        default: nil
        }
    }
}
