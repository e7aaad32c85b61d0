import AutoFillWire
import Glibc
import KeywaySystem

/// The program `keyway-provider-kit`, which `keyway provider` runs with the words of its command line.
package enum KitProgram {
    /// How it ends, as `keyway` does (`keyway(1)`, EXIT STATUS).
    enum Status: Int32 {
        case success = 0
        case failure = 1
        case usage = 2
        case notFound = 3
        case refused = 7
        case providerFailed = 9
        case damaged = 11
        case exists = 12
    }

    /// Does what the command line of this process asks for, and ends the process.
    package static func main() -> Never {
        Interruption.prepare()
        Task {
            let words = Array(CommandLine.arguments.dropFirst())
            Interruption.end(await run(words, environment: ProcessEnvironment.current).rawValue)
        }
        Interruption.wait()
    }

    static func run(_ words: [String], environment: [String: String]) async -> Status {
        do throws(ProtocolError) {
            switch try KitCommandLine(words).action {
            case .listRules(let wantsJSON):
                let rules = Judge.ruleList
                say(wantsJSON ? try KitReport.json(rules) : KitReport.text(rules))
            case .test(let options, let wantsJSON):
                return try await test(options, wantsJSON, environment)
            case .new(let name, let folder, let wantsJSON):
                let path = try ProviderTemplate.installed().make(name, in: folder)
                say(wantsJSON ? try KitReport.json(path: path) : "\(path)\n")
                complain("The package is ready: `make -C \(path) install` builds it and puts it where Keyway looks.")
            }
            return .success
        } catch {
            complain(error.message)
            return status(of: error.code)
        }
    }

    private static func test(
        _ options: KitOptions, _ wantsJSON: Bool, _ environment: [String: String]
    ) async throws(ProtocolError) -> Status {
        let judge = try Judge(options, environment: environment)
        let verdicts = try await judge.run { if !wantsJSON { say(KitReport.text($0)) } }
        say(wantsJSON ? try KitReport.json(verdicts, bundle: options.path) : KitReport.summary(verdicts))
        if verdicts.contains(where: { $0.status == .fail }) { return .providerFailed }
        return verdicts.contains { $0.status == .unchecked } ? .failure : .success
    }

    private static func status(of code: ProtocolError.Code) -> Status {
        switch code {
        case .invalidParameters: .usage
        case .notFound: .notFound
        case .refused: .refused
        case .exists: .exists
        case .damaged: .damaged
        default: .failure
        }
    }

    private static func say(_ text: String) {
        write(text, to: STDOUT_FILENO)
    }

    private static func complain(_ message: String) {
        write("keyway: \(DisplayText.paragraph(message))\n", to: STDERR_FILENO)
    }

    private static func write(_ text: String, to descriptor: CInt) {
        var text = text
        // Where that fails, whoever read has gone.
        _ = text.withUTF8 { WholeTransfer.write(UnsafeRawBufferPointer($0), to: descriptor) }
    }
}
