import Glibc
import KeywayCrypto
import KeywaySystem
import Testing

@testable import TerminalInterface

/// What a terminal is sent around a stop of the process, on a pseudo-terminal that controls nobody.
struct ControllingTerminalTests {
    private let screen: OwnedDescriptor
    private let terminal: ControllingTerminal
    private let keys: OwnedDescriptor

    init() throws {
        screen = OwnedDescriptor(open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC))
        var (isLocked, number): (CInt, CInt) = (0, 0)
        // TIOCSPTLCK and TIOCGPTN of ioctl_tty(2), which Swift does not import.
        try #require(ioctl(screen.rawValue, 0x4004_5431, &isLocked) == 0)
        try #require(ioctl(screen.rawValue, 0x8004_5430, &number) == 0)
        let path = "/dev/pts/\(number)"
        keys = OwnedDescriptor(open(path, O_RDWR | O_NOCTTY | O_CLOEXEC))
        terminal = try ControllingTerminal(
            path: path, appearance: Appearance(hasColours: false, hasUnicode: false, movesCursor: false))
    }

    /// What came on the screen since it was asked for last.
    private var sent: String {
        var descriptor = pollfd(fd: screen.rawValue, events: Int16(POLLIN), revents: 0)
        var bytes: [UInt8] = []
        while poll(&descriptor, 1, 0) == 1, descriptor.revents & Int16(POLLIN) != 0 {
            var some = [UInt8](repeating: 0, count: 256)
            let count = read(screen.rawValue, &some, some.count)
            guard count > 0 else { break }
            bytes += some[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private var echoes: Bool {
        var attributes = termios()
        tcgetattr(keys.rawValue, &attributes)
        return attributes.c_lflag & tcflag_t(ECHO) != 0
    }

    private func wait() -> DeviceInput { terminal.wait(milliseconds: 0, into: SecretBuffer()) }

    @Test func nothingIsDrawnAfterAStopUntilWhoDrawsHasLearntOfIt() throws {
        try terminal.enter(.keys)
        terminal.write("first", cleanup: "<gone>")
        #expect(sent == "first")
        terminal.processWillLeave()
        #expect(sent == "<gone>")
        terminal.write("while it stops", cleanup: "<late>")
        terminal.processResumed()
        terminal.write("of the screen before", cleanup: "<late>")
        #expect(sent.isEmpty)
        #expect(wait() == .resumed)
        terminal.write("again", cleanup: "<gone>")
        #expect(sent == "again")
        #expect(wait() == .idle)
    }

    @Test func modesAreGivenBackForAStopAndTakenAgain() throws {
        try terminal.enter(.keys)
        #expect(!echoes)
        terminal.processWillLeave()
        #expect(echoes)
        // The mode that is asked for just before the stop waits for its end.
        try terminal.enter(.hiddenLines)
        #expect(echoes)
        terminal.processResumed()
        #expect(!echoes)
        terminal.leave()
        #expect(echoes)
    }

    /// A question is withdrawn while a secret is typed: the shell would show it, or run it.
    @Test(arguments: [InputMode.lines, .hiddenLines, .keys])
    func whatWasTypedUnseenIsForNobodyElse(mode: InputMode) throws {
        try terminal.enter(mode)
        let typed = Array("secret\n".utf8)
        #expect(write(screen.rawValue, typed, typed.count) == typed.count)
        // The kernel hands on what is typed in its own time.
        var descriptor = pollfd(fd: keys.rawValue, events: Int16(POLLIN), revents: 0)
        try #require(poll(&descriptor, 1, 60_000) == 1)
        terminal.leave()
        #expect(poll(&descriptor, 1, 0) == (mode == .lines ? 1 : 0))
    }

    @Test func secondStopBeforeTheFirstIsLearntOfCountsAnew() throws {
        try terminal.enter(.keys)
        terminal.processWillLeave()
        terminal.processResumed()
        terminal.processWillLeave()
        #expect(wait() == .woken)
        terminal.write("while it stops", cleanup: "")
        #expect(sent.isEmpty)
        terminal.processResumed()
        #expect(wait() == .resumed)
    }

    @Test(arguments: [true, false])
    func whoLeavesAroundAStopLeavesNothingForTheNext(leavesBeforeItGoesOn: Bool) throws {
        try terminal.enter(.keys)
        terminal.processWillLeave()
        if leavesBeforeItGoesOn { terminal.leave() }
        terminal.processResumed()
        if !leavesBeforeItGoesOn { terminal.leave() }
        #expect(echoes)
        try terminal.enter(.keys)
        terminal.write("next", cleanup: "")
        #expect(sent == "next")
        #expect(wait() != .resumed)
    }
}
