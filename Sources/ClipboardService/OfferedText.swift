import KeywayCrypto

/// A text that can be pasted, in each form in which programs ask for one.
struct OfferedText {
    /// What managers of clipboards know a secret by, so that they keep none: KDE's Klipper, wl-clipboard, CopyQ.
    static let mark = "x-kde-passwordManagerHint"
    /// The names under which programs ask for UTF-8.
    static let names = ["text/plain;charset=utf-8", "text/plain", "UTF8_STRING"]

    private static let markOfSecrets = SecretBytes(copyingUTF8Of: "secret")

    private let text: SecretBytes
    private let isSecret: Bool

    /// A secret, which is marked as one.
    init(secret: SecretBytes) { (text, isSecret) = (secret, true) }

    private init() { (text, isSecret) = (SecretBytes(count: 0) { _ in }, false) }

    /// A text without characters. It bears no mark: what keeps a copy of the last text is to keep this one.
    static let empty = OfferedText()

    /// How many bytes it has, in its longest form.
    var count: Int { text.count }

    /// The names under which it can be had.
    var types: [String] { Self.names + (isSecret ? [Self.mark] : []) }

    /// What is pasted by whoever asks for `type`; nil where that is none of ``types``.
    func content(_ type: String) -> SecretBytes? {
        if type == Self.mark { return isSecret ? Self.markOfSecrets : nil }
        return Self.names.contains(type) ? text : nil
    }

    /// It in the characters of ISO 8859-1, of which the old `STRING` of X consists, beside tabulators and line feeds; nil
    /// where it has others.
    var latin1: SecretBytes? {
        var isLatin1 = true
        let bytes = SecretBytes(upTo: text.count) { room in
            text.withUnsafeBytes { text in
                var (count, index) = (0, 0)
                while index < text.count {
                    var character = text[index]
                    // What UTF-8 writes in two bytes and is below U+0100.
                    if character & 0xFE == 0xC2, index + 1 < text.count, text[index + 1] & 0xC0 == 0x80 {
                        index += 1
                        character = character << 6 | text[index] & 0x3F
                        isLatin1 = isLatin1 && character >= 0xA0
                    } else {
                        let isControl = character < 0x20 && character != 0x09 && character != 0x0A
                        isLatin1 = isLatin1 && character < 0x7F && !isControl
                    }
                    room[count] = character
                    (count, index) = (count + 1, index + 1)
                }
                return count
            }
        }
        return isLatin1 ? bytes : nil
    }
}
