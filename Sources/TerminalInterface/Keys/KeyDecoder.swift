/// Bytes of a terminal to keys, one byte at a time.
///
/// The bytes of a secret pass through here: not more than one character of it is held, and that is overwritten as soon
/// as it is complete. What was pasted between the marks of bracketed paste comes as text without control characters,
/// so that a line break in it submits nothing. Unknown, overlong and broken sequences are nothing.
package struct KeyDecoder {
    private enum State {
        case ground
        case character(value: UInt32, missing: Int, least: UInt32)
        case escape
        case controlSequence([UInt8])
        case overlongSequence
        case singleShift
    }

    /// The most bytes of a control sequence that are looked at: all that we know are shorter.
    private static let longestSequence = 16

    private var state = State.ground
    private var isPasting = false

    /// A decoder at the beginning of the input.
    package init() {}

    /// Whether an escape sequence has begun that the next bytes may complete. When none come soon, ``flush()``.
    package var isWaiting: Bool {
        switch state {
        case .ground, .character: false
        case .escape, .controlSequence, .overlongSequence, .singleShift: true
        }
    }

    /// Ends a sequence that nothing followed: the Escape key alone, or a cut sequence, which is nothing.
    package mutating func flush() -> Key? {
        defer { state = .ground }
        if case .escape = state, !isPasting { return .escape }
        return nil
    }

    /// Takes the next byte; the key that it completes, if it does.
    package mutating func decode(_ byte: UInt8) -> Key? {
        switch state {
        case .ground: return begin(byte)
        case .character(let value, let missing, let least): return proceed(byte, value, missing, least)
        case .escape: return afterEscape(byte)
        case .controlSequence(let bytes): return inSequence(bytes, byte)
        case .overlongSequence:
            if (0x40...0x7E).contains(byte) { state = .ground }
            return nil
        case .singleShift:
            state = .ground
            return Self.key(final: byte, parameter: nil)
        }
    }

    private mutating func begin(_ byte: UInt8) -> Key? {
        switch byte {
        case 0x1B:
            state = .escape
            return nil
        case 0x00..<0x20, 0x7F: return isPasting ? nil : Self.control(byte)
        case 0x20..<0x7F: return .text(Unicode.Scalar(byte))
        case 0xC2..<0xE0: state = .character(value: UInt32(byte & 0x1F), missing: 1, least: 0x80)
        case 0xE0..<0xF0: state = .character(value: UInt32(byte & 0x0F), missing: 2, least: 0x800)
        case 0xF0..<0xF5: state = .character(value: UInt32(byte & 0x07), missing: 3, least: 0x10000)
        default: break
        }
        return nil
    }

    private mutating func proceed(_ byte: UInt8, _ value: UInt32, _ missing: Int, _ least: UInt32) -> Key? {
        state = .ground
        guard byte & 0xC0 == 0x80 else { return begin(byte) }
        let value = value << 6 | UInt32(byte & 0x3F)
        guard missing == 1 else {
            state = .character(value: value, missing: missing - 1, least: least)
            return nil
        }
        guard value >= least, let scalar = Unicode.Scalar(value), !(0x80..<0xA0).contains(value) else { return nil }
        return .text(scalar)
    }

    private mutating func afterEscape(_ byte: UInt8) -> Key? {
        switch byte {
        case UInt8(ascii: "["): state = .controlSequence([])
        case UInt8(ascii: "O"): state = .singleShift
        case 0x1B: return isPasting ? nil : .escape
        // A key with Alt: nothing here has a use for it.
        default: state = .ground
        }
        return nil
    }

    private mutating func inSequence(_ bytes: [UInt8], _ byte: UInt8) -> Key? {
        switch byte {
        case 0x20..<0x40:
            state = bytes.count < Self.longestSequence ? .controlSequence(bytes + [byte]) : .overlongSequence
            return nil
        case 0x40...0x7E:
            state = .ground
            return finish(bytes, final: byte)
        default:
            // Not part of any sequence: the rest of one that was cut is dropped, and the byte counts anew.
            state = .ground
            return begin(byte)
        }
    }

    private mutating func finish(_ bytes: [UInt8], final: UInt8) -> Key? {
        let parameter = Int(String(decoding: bytes.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self))
        if final == UInt8(ascii: "~"), parameter == 200 || parameter == 201 {
            isPasting = parameter == 200
            return nil
        }
        return isPasting ? nil : Self.key(final: final, parameter: parameter)
    }

    private static func control(_ byte: UInt8) -> Key? {
        switch byte {
        case 0x09: .tab
        case 0x0A, 0x0D: .enter
        case 0x08, 0x7F: .backspace
        case 0x01...0x1A: .control(Unicode.Scalar(byte + 0x60))
        default: nil
        }
    }

    /// The keys that the terminals of our time send (ECMA-48 with the additions of xterm); modifiers change nothing.
    private static func key(final: UInt8, parameter: Int?) -> Key? {
        switch (Character(Unicode.Scalar(final)), parameter) {
        case ("A", _): .up
        case ("B", _): .down
        case ("C", _): .right
        case ("D", _): .left
        case ("H", _), ("~", 1), ("~", 7): .home
        case ("F", _), ("~", 4), ("~", 8): .end
        case ("Z", _): .backTab
        case ("M", nil): .enter
        case ("~", 3): .delete
        case ("~", 5): .pageUp
        case ("~", 6): .pageDown
        default: nil
        }
    }
}
