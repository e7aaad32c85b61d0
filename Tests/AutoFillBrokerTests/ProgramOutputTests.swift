import Testing

@testable import AutoFillBroker

@Suite("What a program of the system prints")
struct ProgramOutputTests {
    /// Nobody waits that long: whoever needs it does not hear the program's end.
    private static let anHour: CInt = 3_600_000

    @Test("is read in lines, until the program ends", .timeLimit(.minutes(2)))
    func lines() async {
        #expect(await ProgramOutput.lines(of: "/bin/echo", ["a\nb"], [:], patience: Self.anHour) == ["a", "b"])
    }

    @Test("is nothing for one that says nothing or is not there", .timeLimit(.minutes(2)))
    func nothing() async {
        for program in ["/bin/false", "/nonexistent"] {
            #expect(await ProgramOutput.lines(of: program, [], [:], patience: Self.anHour).isEmpty)
        }
    }

    @Test("is what came before it took too long", .timeLimit(.minutes(2)))
    func patience() async {
        let arguments = ["-c", "echo a; exec sleep 3600"]
        #expect(await ProgramOutput.lines(of: "/bin/sh", arguments, [:], patience: 1000) == ["a"])
    }
}
