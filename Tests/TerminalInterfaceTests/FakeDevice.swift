import Glibc
import KeywayCrypto
import Synchronization

@testable import TerminalInterface

/// A terminal whose keys come from a list, and which remembers what was done to it.
final class FakeDevice: TerminalDevice {
    enum Step: Sendable {
        case type(String)
        case input(DeviceInput)
    }

    struct State {
        var steps: [Step]
        var written = ""
        var modes: [InputMode] = []
        var leaves = 0
        var suspensions = 0
        var wakes = 0
    }

    private let state: Mutex<State>

    init(_ steps: [Step]) { state = Mutex(State(steps: steps)) }

    var size: ScreenSize { Samples.size }
    var written: String { state.withLock { $0.written } }
    var modes: [InputMode] { state.withLock { $0.modes } }
    var leaves: Int { state.withLock { $0.leaves } }
    var suspensions: Int { state.withLock { $0.suspensions } }

    func enter(_ mode: InputMode) { state.withLock { $0.modes.append(mode) } }
    func leave() { state.withLock { $0.leaves += 1 } }
    func write(_ text: String, cleanup: String) { state.withLock { $0.written += text } }
    func write(_ secret: SecretBytes) {
        write(secret.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }, cleanup: "")
    }
    func wake() { state.withLock { $0.wakes += 1 } }
    func suspend() { state.withLock { $0.suspensions += 1 } }

    func wait(milliseconds: Int?, into buffer: SecretBuffer) -> DeviceInput {
        while true {
            let result = state.withLock { state -> DeviceInput? in
                guard let step = state.steps.first else { return milliseconds == nil ? nil : .idle }
                switch step {
                case .type(let text):
                    state.steps.removeFirst()
                    for byte in text.utf8 { buffer.append(byte) }
                    return .bytes
                case .input(let input):
                    state.steps.removeFirst()
                    return input
                }
            }
            if let result { return result }
            let isWoken = state.withLock { state in
                guard state.steps.isEmpty, state.wakes > 0 else { return false }
                state.wakes = 0
                return true
            }
            if isWoken { return .woken }
            Self.pause()
        }
    }

    /// Lets another thread run.
    private static func pause() { sched_yield() }
}
