import KeywayCrypto
import TerminalInterface

/// Where a secret goes that a command gives out: standard output, or with `--copy` the clipboard.
struct SecretCopy {
    /// How long a secret stays on the clipboard, in seconds.
    static let seconds = 45
    /// The most that terminals take: 100,000 characters of Base64, with what stands around them.
    private static let terminalLimit = 74_994

    let context: CommandContext

    /// Puts `secret` on the clipboard: on that of the display, and where there is none, on that of the computer that the
    /// terminal is on (OSC 52).
    ///
    /// - Returns: after how many seconds it is cleared; nil where nobody can clear it.
    /// - Throws: ``CommandError``: `needsPerson`, `failure`.
    func copy(_ secret: SecretBytes) async throws -> Int? {
        var reason = Strings.noClipboard
        if context.surroundings.hasDisplay {
            switch try await context.surroundings.copyOnDesktop(secret, Self.seconds) {
            case .copied: return Self.seconds
            case .noDisplay: break
            case .notAllowed: reason = Strings.onlyWindowsCopy
            }
        }
        // Others would print it.
        guard context.surroundings.appearance.movesCursor else {
            throw CommandError(.needsPerson, Strings.noClipboard, hint: Strings.printInstead)
        }
        let terminal: any TerminalDevice
        do {
            terminal = try context.surroundings.openTerminal()
        } catch {
            throw CommandError(.needsPerson, reason, hint: Strings.printInstead)
        }
        guard secret.count <= Self.terminalLimit else {
            throw CommandError(.failure, Strings.tooLongToCopy(Self.terminalLimit), hint: Strings.printInstead)
        }
        terminal.write(Self.sequence(secret))
        return nil
    }

    /// The control sequence OSC 52 of xterm: the terminal puts it on the clipboard, and shows nothing.
    private static func sequence(_ secret: SecretBytes) -> SecretBytes {
        let base64 = secret.base64
        let (start, end) = ("\u{1B}]52;c;", "\u{7}")
        return SecretBytes(count: start.utf8.count + base64.count + end.utf8.count) { room in
            room.copyBytes(from: start.utf8)
            base64.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: room[start.utf8.count...]).copyMemory(from: $0)
            }
            UnsafeMutableRawBufferPointer(rebasing: room[(start.utf8.count + base64.count)...]).copyBytes(
                from: end.utf8)
        }
    }
}

extension CommandContext {
    /// Whether the secret goes to the clipboard and not to standard output.
    var wantsCopy: Bool { invocation.has("--copy") }

    /// Prints a secret, or copies it and says so.
    func giveOut(_ secret: SecretBytes) async throws {
        guard wantsCopy else { return try print(secret) }
        try say(Strings.copied(clearsAfter: try await SecretCopy(context: self).copy(secret)))
    }

    /// Prints `members` as a JSON object with the secret among them, where `--copy` puts it on the clipboard instead.
    func giveOutJSON(
        _ name: String, _ secret: SecretBytes, before: [(String, JSONValue)] = [], after: [(String, JSONValue)]
    ) async throws {
        guard wantsCopy else { return try print(.object(before + [(name, .secret(secret))] + after), text: "") }
        let seconds = try await SecretCopy(context: self).copy(secret)
        let copied: [(String, JSONValue)] = [
            ("copied", .string(name)), ("clearsAfter", seconds.map { .integer($0) } ?? .null),
        ]
        try print(.object(before + copied + after), text: "")
    }
}
