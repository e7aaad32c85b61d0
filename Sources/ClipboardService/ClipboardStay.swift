import Glibc
import KeywayCrypto
import KeywaySystem

/// A secret on the clipboard: from when it is put there until it is cleared or something else is copied.
struct ClipboardStay {
    /// For how long an empty text is offered in the end, in milliseconds: what keeps a copy of the last text takes that
    /// one, and not the secret.
    static let farewell = 2000

    /// Whose clipboard it is.
    let owner: any ClipboardOwner
    /// What ends it; the time that the machine sleeps counts.
    var clock: any TimeSource = SystemTimeSource()

    /// Offers `secret`, calls `offered`, and clears the clipboard after so many milliseconds, unless something else was
    /// copied by then.
    ///
    /// - Throws: ``ClipboardError``: `tooLong`, `failed`.
    func run(_ secret: SecretBytes, milliseconds: Int, offered: () -> Void) throws(ClipboardError) {
        try owner.offer(OfferedText(secret: secret))
        offered()
        guard try stays(milliseconds) else { return }
        try owner.offer(.empty)
        _ = try stays(Self.farewell)
    }

    /// Serves who pastes, for so long.
    ///
    /// - Returns: false as soon as something else was copied.
    private func stays(_ milliseconds: Int) throws(ClipboardError) -> Bool {
        let start = clock.nowWithSleep
        while true {
            try owner.work()
            guard owner.isOurs else { return false }
            let left = (.milliseconds(milliseconds) - clock.nowWithSleep.since(start)) / .milliseconds(1)
            guard left > 0 else { return true }
            var waited = [pollfd(fd: owner.connection, events: Int16(POLLIN), revents: 0)]
            waited += owner.pipes.map { pollfd(fd: $0, events: Int16(POLLOUT), revents: 0) }
            // poll(2) does not count the time that the machine sleeps.
            _ = poll(&waited, nfds_t(waited.count), CInt(min(left, 1000).rounded(.up)))
        }
    }
}
