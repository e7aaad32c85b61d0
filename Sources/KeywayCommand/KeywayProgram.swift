import AutoFillClient
import AutoFillWire
import Glibc
import KeywayCrypto
import KeywaySystem
import TerminalInterface

/// The program `keyway`.
package enum KeywayProgram {
    /// Runs what the command line of this process asks for, and ends the process.
    package static func main() -> Never {
        let link = HandedLink.take()
        ProgramGroup.putAside()
        let words = Array(CommandLine.arguments.dropFirst())
        do throws(UsageError) {
            switch try CommandLineParser.parse(words) {
            case .version: print("keyway \(ProtocolVersion.release)")
            case .help(let path): exit(help(path))
            case .run(let invocation): run(invocation, link)
            }
        } catch {
            exit(complain(error))
        }
        exit(ExitCode.success.rawValue)
    }

    /// The main thread waits for signals and for nothing else, the command runs beside it.
    private static func run(_ invocation: Invocation, _ link: SecretBytes?) -> Never {
        SignalWatch.shared.prepare()
        do {
            try ProcessHardening.apply()
        } catch {
            complain(CommandError(error))
            exit(ExitCode.failure.rawValue)
        }
        Task {
            var surroundings = surroundings()
            surroundings.handedLink = link
            let code = await CommandRunner(invocation, in: surroundings).run()
            exit(code.rawValue)
        }
        SignalWatch.shared.receive()
    }

    private static func surroundings() -> Surroundings {
        let environment = ProcessEnvironment.current
        let appearance = Appearance(environment: environment)
        return Surroundings(
            environment: environment, output: DescriptorSink(STDOUT_FILENO), messages: DescriptorSink(STDERR_FILENO),
            secretLines: isatty(STDIN_FILENO) == 1 ? nil : InputLines(STDIN_FILENO),
            machine: SystemMachine(environment: environment),
            openTerminal: { () throws(TerminalError) in try ControllingTerminal(appearance: appearance) },
            connect: { (methods, starts) throws(ProtocolError) in
                try await BrokerDoor.current().connect(
                    as: .terminal, name: "keyway \(ProtocolVersion.release)", methods: methods, startsBroker: starts)
            })
    }

    private static func help(_ path: [String]) -> Int32 {
        guard let text = HelpText.text(for: path) else {
            complain(CommandError(.usage, Strings.noHelp(path), hint: Strings.seeHelp([Strings.program])))
            return ExitCode.usage.rawValue
        }
        print(text, terminator: "")
        return ExitCode.success.rawValue
    }

    private static func complain(_ error: UsageError) -> Int32 {
        let hint = error.suggestion.map(Strings.didYouMean) ?? Strings.seeHelp(error.path)
        complain(CommandError(.usage, error.message, hint: hint))
        return ExitCode.usage.rawValue
    }

    private static func complain(_ error: CommandError) {
        try? DescriptorSink(STDERR_FILENO).write(Strings.failure(error))
    }
}
