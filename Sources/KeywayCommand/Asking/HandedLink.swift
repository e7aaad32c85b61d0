import Glibc
package import KeywayCrypto

/// A link for one-time codes that a desktop handed over as an argument. Everybody on the machine can read the arguments of a
/// process, so it is taken away from there before anything else happens.
package enum HandedLink {
    private static let schemes = ["otpauth:", "otpauth-migration:"]

    /// The first of the links among the arguments of this process; what follows the schemes of all is overwritten there.
    static func take() -> SecretBytes? {
        take(from: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    }

    /// The same for these arguments.
    package static func take(
        from arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, count: Int
    ) -> SecretBytes? {
        var first: SecretBytes?
        for index in 0..<count {
            guard let argument = arguments[index] else { continue }
            let bytes = UnsafeMutableRawBufferPointer(start: argument, count: strlen(argument))
            guard let scheme = schemes.first(where: { begins(UnsafeRawBufferPointer(bytes), $0) }) else { continue }
            if first == nil { first = SecretBytes(copying: UnsafeRawBufferPointer(bytes)) }
            for place in scheme.utf8.count..<max(scheme.utf8.count, bytes.count) { bytes[place] = UInt8(ascii: "*") }
        }
        return first
    }

    /// Whether a text begins with a scheme, which is written in any case.
    static func begins(_ text: UnsafeRawBufferPointer, _ scheme: String) -> Bool {
        text.count >= scheme.utf8.count
            && zip(text, scheme.utf8).allSatisfy { letter, wanted in
                letter == wanted || (65...90).contains(letter) && letter + 32 == wanted
            }
    }

    /// Whether a text is a link for one-time codes, as far as its scheme says.
    static func isLink(_ text: SecretBytes) -> Bool {
        text.withUnsafeBytes { bytes in schemes.contains { begins(bytes, $0) } }
    }
}
