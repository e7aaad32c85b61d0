import Confinement
import Testing

@Suite("The command line of keyway-confine")
struct ConfineCommandTests {
    private static var full: ConfineCommand {
        var command = ConfineCommand(limits: .ofExtension, action: .run("/bundle/extension"), report: 4)
        command.readable = ["/usr", "/a folder"]
        command.writable = ["/home/ada/store"]
        command.devices = ["/dev/null"]
        command.runnable = ["/bundle"]
        command.usesNetwork = true
        command.needsLandlock = false
        command.isKeeper = true
        return command
    }
    private static var withoutLimits: ConfineCommand {
        var command = ConfineCommand(limits: .ofService, action: .probe)
        command.limits.processes = nil
        return command
    }

    private static let withArguments: ConfineCommand = {
        var command = ConfineCommand(limits: .ofExtension, action: .run("/usr/bin/git"))
        command.programArguments = ["--read", "/", "--", "--stopped"]
        return command
    }()

    @Test(
        "what is written is what is read",
        arguments: [full, withoutLimits, withArguments, ConfineCommand(limits: .ofService, action: .probe)])
    func roundTrip(command: ConfineCommand) {
        #expect(ConfineCommand(arguments: command.arguments) == command)
    }

    @Test(
        "anything else is refused",
        arguments: [
            [], ["--"], ["--", "relative"], ["--read"], ["--memory", "much", "--probe"],
            ["--file", "-1", "--probe"],
            ["--report", "2", "--probe"], ["--unknown", "1", "--probe"], ["--probe", "--", "/a"],
            ["--stopped", "--probe"],
        ])
    func refused(arguments: [String]) {
        #expect(ConfineCommand(arguments: arguments) == nil)
    }
}
