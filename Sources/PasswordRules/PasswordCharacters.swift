/// A set of printable ASCII characters.
package struct PasswordCharacters: OptionSet, Hashable, Sendable {
    /// One bit for each code point below 128.
    package let rawValue: UInt128

    /// The set of the code points whose bits are set; what is not printable ASCII is left out.
    package init(rawValue: UInt128) {
        self.rawValue = rawValue & Self.printableBits
    }

    /// The set of these bytes; what is not printable ASCII is left out.
    package init(_ bytes: some Sequence<UInt8>) {
        self.init(rawValue: bytes.reduce(0) { $1 < 128 ? $0 | UInt128(1) << UInt128($1) : $0 })
    }

    private static let printableBits: UInt128 = ((1 << 127) - 1) & ~((1 << 32) - 1)

    /// `a` to `z`.
    package static let lower = PasswordCharacters(UInt8(ascii: "a")...UInt8(ascii: "z"))
    /// `A` to `Z`.
    package static let upper = PasswordCharacters(UInt8(ascii: "A")...UInt8(ascii: "Z"))
    /// `0` to `9`.
    package static let digits = PasswordCharacters(UInt8(ascii: "0")...UInt8(ascii: "9"))
    /// What Apple's rules call special: most ASCII punctuation, without `/` and `\`, and the space.
    package static let special = PasswordCharacters(#"-~!@#$%^&*_+=`|(){}[:;"'<>,.?] "#.utf8)
    /// All printable ASCII characters, the space among them.
    package static let printable = PasswordCharacters(rawValue: printableBits)
    /// The space, which people do not see at an end, and which some sites take away there.
    package static let space = PasswordCharacters(CollectionOfOne(UInt8(ascii: " ")))

    /// How many there are.
    package var count: Int { rawValue.nonzeroBitCount }

    /// The characters in the order of their code points.
    package var bytes: [UInt8] {
        (UInt8(32)..<127).filter { contains(byte: $0) }
    }

    /// Whether `byte` is one of them.
    package func contains(byte: UInt8) -> Bool { byte < 128 && rawValue >> UInt128(byte) & 1 == 1 }
}
