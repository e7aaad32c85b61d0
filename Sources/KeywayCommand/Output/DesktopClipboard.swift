import Dispatch
import Glibc
import KeywayCrypto
import KeywaySystem

/// What came of copying on the desktop.
package enum DesktopCopy: Hashable, Sendable {
    /// It can be pasted now.
    case copied
    /// There is no display, or none that lets itself be opened.
    case noDisplay
    /// The display lets no program copy that has no window.
    case notAllowed
}

/// The clipboard of the person's display. `keyway-clipboard` serves and clears it, for this program ends right away.
struct DesktopClipboard: Sendable {
    /// How that program ends where it could not copy; the numbers are those of sysexits(3).
    private enum Ending {
        static let tooLong: CInt = EX_DATAERR << 8
        static let noDisplay: CInt = EX_UNAVAILABLE << 8
        static let notAllowed: CInt = EX_NOPERM << 8
    }

    private let path: String

    /// With the program that lies beside `program`, or where it is installed.
    init(program: String) {
        path = InstalledFiles(program: program).clipboard
    }

    /// Copies `secret`, for so many seconds.
    ///
    /// - Throws: ``CommandError``: `failure`.
    func copy(
        _ secret: SecretBytes, seconds: Int, _ environment: [String: String]
    ) async throws(CommandError) -> DesktopCopy {
        let (child, output): (ChildProcess, OwnedDescriptor)
        do throws(ProtocolError) {
            let memory = try secret.withUnsafeBytes { (bytes) throws(ProtocolError) in
                try SealedMemory(copying: bytes)
            }
            let (ours, theirs) = try LocalSocket.pair()
            // It outlives this program, and must keep nobody waiting who reads what this one prints.
            let nowhere = OwnedDescriptor(open("/dev/null", O_WRONLY | O_CLOEXEC))
            child = try ChildProcess(
                path: path, arguments: ["\(seconds)"],
                environment: environment.filter { InheritedEnvironment.isNeeded($0.key) },
                channel: theirs, report: memory.descriptor, output: nowhere)
            output = ours
        } catch {
            throw CommandError(.failure, error.message, hint: Strings.reinstall)
        }
        let isCopied = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: Self.saysCopied(output)) }
        }
        if isCopied { return .copied }
        let status = await withCheckedContinuation { continuation in
            child.onExit { continuation.resume(returning: $0) }
        }
        switch status {
        case Ending.noDisplay: return .noDisplay
        case Ending.notAllowed: return .notAllowed
        case Ending.tooLong: throw CommandError(.failure, Strings.tooLongForDisplay, hint: Strings.printInstead)
        default: throw CommandError(.failure, Strings.clipboardFailed(ChildProcess.describe(status: status)))
        }
    }

    /// Whether it says so, before it ends.
    private static func saysCopied(_ descriptor: OwnedDescriptor) -> Bool {
        let word = Array("copied\n".utf8)
        return withUnsafeTemporaryAllocation(byteCount: word.count, alignment: 1) { room in
            WholeTransfer.read(into: room, from: descriptor.rawValue) == word.count && room.elementsEqual(word)
        }
    }
}
