import Glibc
import KeywaySystem
import Testing

@testable import ProviderHosting

@Suite("A process that another one watches")
struct OnlookerTests {
    @Test("is known by what the kernel says of it")
    func fields() throws {
        let text = "Name:\tkeyway-vaultd\nPid:\t12\nPPid:\t7\nTracerPid:\t34\nUid:\t1000\n"
        let found = try #require(Onlooker.fields(in: text))
        #expect(found == (34, 7))
    }

    @Test(
        "is none where the kernel says nothing that can be read",
        arguments: ["", "PPid:\t7\n", "TracerPid:\t0\n", "PPid:\tx\nTracerPid:\ty\n"])
    func unread(text: String) {
        #expect(Onlooker.fields(in: text) == nil)
    }

    @Test("is none where nobody watches")
    func unwatched() throws {
        let child = try ChildProcess(path: "/bin/sleep", arguments: ["3600"], environment: [:])
        defer { child.send(signal: SIGKILL) }
        #expect(Onlooker.objection(to: child.processIdentifier, "sleep") == nil)
    }
}
