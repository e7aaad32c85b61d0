import CLandlock
import Confinement
import Glibc

/// The program `keyway-confine`: gives up, for good, what a provider must not have, and becomes the provider's program.
package enum ConfineProgram {
    /// What `--help` prints.
    static let help = """
        keyway-confine, the last step before a provider's program: keywayd starts it, inside of bubblewrap where there is
        one. It takes the limits, Landlock and the filter of system calls upon itself and becomes the program.

        Usage:
          keyway-confine [OPTION...] [--stopped] -- PROGRAM [ARGUMENT...]
          keyway-confine [OPTION...] --probe   ends with 0 if all of it takes

        Options:
          --read PATH, --write PATH, --device PATH, --run PATH   what may be reached, and how
          --network            sockets of the internet, too
          --memory BYTES, --file BYTES, --processes N, --descriptors N, --seconds N   limits
          --keeper             for a program that keeps secrets: no sockets, no processes, no signals to others
          --without-landlock   goes on where the kernel has none
          --report FD          where it says that all of it took, or why not
          --stopped            waits for a byte from there before it runs the program

        Exit status: that of the program; 0 probed, 64 wrong arguments, 125 something did not take, 127 no such program.
        """

    /// Runs with these arguments, and becomes the program or ends.
    package static func main(_ arguments: [String]) -> Never {
        if arguments.dropFirst() == ["--help"] {
            print(help)
            exit(0)
        }
        guard let command = ConfineCommand(arguments: Array(arguments.dropFirst())) else {
            Report(descriptor: nil).fail("wrong arguments; see keyway-confine --help", status: EX_USAGE)
        }
        let report = Report(descriptor: command.report)
        do {
            if case .stop = command.action { _ = clandlock_allow_tracers() }
            try confine(command)
        } catch {
            report.fail(error.text, status: 125)
        }
        switch command.action {
        case .probe: exit(0)
        case .run(let path):
            report.ready()
            run(path, command.programArguments, report)
        case .stop(let path):
            report.ready()
            report.waitForGo()
            run(path, command.programArguments, report)
        }
    }

    /// Order matters: the filter of system calls would forbid what comes before it.
    private static func confine(_ command: ConfineCommand) throws(ConfineError) {
        try Limits.set(command.limits)
        if command.isKeeper, clandlock_die_with_parent() != 0 { throw ConfineError("PR_SET_PDEATHSIG", errno) }
        guard clandlock_no_new_privileges() == 0 else { throw ConfineError("no_new_privs", errno) }
        try Landlock.restrict(to: command)
        try SystemCallFilter.load(usesNetwork: command.usesNetwork, isKeeper: command.isKeeper)
    }

    private static func run(_ path: String, _ more: [String], _ report: Report) -> Never {
        var arguments = ([path] + more).map { strdup($0) } + [nil]
        execv(path, &arguments)
        report.fail("\(path) cannot be run: \(String(cString: strerror(errno)))", status: 127)
    }
}

/// What did not take.
struct ConfineError: Error {
    let text: String

    init(_ step: String, _ number: CInt) {
        text = "\(step): \(String(cString: strerror(number)))"
    }
}
