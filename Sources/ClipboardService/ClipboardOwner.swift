/// Who can offer something on the clipboard of a display.
protocol ClipboardOwner: AnyObject {
    /// The connection to the display: there is something to ``work()`` on when it can be read.
    var connection: CInt { get }
    /// Pipes on which somebody has not read all yet: likewise, when they can be written.
    var pipes: [CInt] { get }
    /// Whether what can be pasted now is what was offered last.
    var isOurs: Bool { get }

    /// Offers `text`, in place of whatever can be pasted now.
    ///
    /// - Throws: ``ClipboardError``: `tooLong`, `failed`.
    func offer(_ text: OfferedText) throws(ClipboardError)

    /// Answers those who paste, as far as that goes without waiting.
    ///
    /// - Throws: ``ClipboardError``: `failed`.
    func work() throws(ClipboardError)
}
