import Adwaita
import AutoFillWire
import Dispatch
import FoundationEssentials
import Glibc
import KeywaySystem

/// The program `keyway-sheets`: draws what the broker sends, until the broker lets go of it or nothing was shown for a
/// while.
package enum SheetProgram {
    /// How long the program stays when it shows nothing, in milliseconds: ten minutes.
    private static let idleLimit: UInt32 = 600_000
    /// How the program ends that has no display: EX_UNAVAILABLE of sysexits(3).
    package static let noDisplay: Int32 = 69

    /// Runs the program.
    @MainActor
    package static func main() -> Never {
        do {
            try ProcessHardening.apply()
            let environment = SheetEnvironment.prepare()
            try serve(SheetLanguage(environment: environment))
        } catch let error as DesktopError {
            say(error.description)
            exit(error.code == .noDisplay ? noDisplay : EXIT_FAILURE)
        } catch {
            say((error as? ProtocolError)?.message ?? "\(error)")
            exit(EXIT_FAILURE)
        }
        exit(EXIT_SUCCESS)
    }

    @MainActor
    private static func serve(_ language: SheetLanguage) throws {
        let descriptor = try InheritedChannel.take()
        try Desktop.start(identifier: "org.keyway.Sheets")
        let watch = IdleWatch(limit: idleLimit)
        let server = try SheetServer(language: language) { watch.note(isIdle: $0) }
        let connection = Connection(descriptor: descriptor, peer: .known(.broker), methods: server.methods)
        // One way out: two threads that call exit(3) at once wait for each other.
        connection.onClose { DispatchQueue.main.async { Desktop.quit() } }
        connection.start()
        Task {
            do throws(ProtocolError) {
                try await connection.greet(as: .sheets, name: "keyway-sheets \(ProtocolVersion.release)")
            } catch {
                // A broker that ends while it is being greeted is the ordinary end.
                if error.code != .connectionClosed { say(error.message) }
                connection.close()
            }
        }
        watch.note(isIdle: true)
        Desktop.run()
    }

    private static func say(_ text: String) {
        let line = Array("keyway-sheets: \(text)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }
}

/// Ends the loop when nothing was shown for a while.
@MainActor
private final class IdleWatch {
    private let limit: UInt32
    /// Counts the changes, so that only the newest wait ends anything.
    private var generation = 0

    init(limit: UInt32) {
        self.limit = limit
    }

    func note(isIdle: Bool) {
        generation += 1
        guard isIdle else { return }
        let current = generation
        Desktop.after(milliseconds: limit) { [weak self] in
            if self?.generation == current { Desktop.quit() }
        }
    }
}
