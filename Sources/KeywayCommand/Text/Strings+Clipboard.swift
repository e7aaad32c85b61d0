/// What `--copy` says.
extension Strings {
    static func copied(clearsAfter seconds: Int?) -> String {
        guard let seconds else {
            return "Sent to the clipboard of your terminal. Keyway can't tell whether the terminal took it, and can't "
                + "clear it: copy something else once you've pasted it."
        }
        return "Copied. Keyway clears the clipboard in \(seconds) seconds, unless you copy something else first."
    }
    static func notBoth(_ first: String, _ second: String) -> String { "Use either \(first) or \(second)." }
    static let noClipboard = "There is no clipboard: neither a display nor a terminal."
    static let onlyWindowsCopy =
        "This Wayland compositor lets no program copy without a window, and there is no terminal to copy it."
    static let tooLongForDisplay = "It is longer than the clipboard of this display takes."
    static let printInstead = "Without --copy, it is printed."
    static func tooLongToCopy(_ limit: Int) -> String {
        "It is longer than terminals copy (\(limit) bytes)."
    }
    static func clipboardFailed(_ how: String) -> String {
        "It couldn't be copied: keyway-clipboard ended with \(how)."
    }
}
