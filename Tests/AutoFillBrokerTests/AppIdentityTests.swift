import AutoFillWire
import BrokerTestSupport
import Foundation
import KeywaySystem
import Testing

@testable import AutoFillBroker
@testable import BrokerBase

/// Who an app is: what Flatpak and desktop entries say, and what a program of the person's own cannot say.
@Suite struct AppIdentityTests {
    @Test func aKeyFileIsReadByGroups() {
        let file = DesktopFile(
            "# comment\nKey=outside\n[One]\nName = a b \nName=second\nEmpty=\n[Two]\nName[de]=x\nName=c=d\nnonsense\n")
        #expect(file["One", "Name"] == "a b")
        #expect(file["Two", "Name"] == "c=d")
        #expect(file["One", "Empty"] == nil)
        #expect(file["Three", "Name"] == nil)
        #expect(file["", "Key"] == "outside")
    }

    @Test(arguments: [
        ("org.example.App", true), ("org.example-2.App_1", true), ("App", false), (".org.example", false),
        ("org.example/../x", false), ("org.example App", false), ("", false), ("org.exämple", false),
    ])
    func flatpakNamesAreReverseDomains(name: String, isOne: Bool) {
        let app = FlatpakApp(DesktopFile("[Application]\nname=\(name)\n[Instance]\napp-path=/x\n"))
        #expect((app != nil) == isOne)
    }

    @Test(arguments: [
        ("/usr/bin/example %u", "/usr/bin/example"), ("example", "example"), ("\"/opt/a b/x\" --new", "/opt/a b/x"),
        (#""/opt/a\"b" x"#, #"/opt/a"b"#), ("\"/opt/never", nil), ("", nil),
    ])
    func aDesktopEntryNamesItsProgramFirst(line: String, program: String?) {
        #expect(DesktopEntries.firstWord(of: line) == program)
    }

    /// A folder under which nothing is the administrator's, whoever runs the tests.
    private func mine() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        chmod(folder.path, 0o777)
        return folder
    }

    @Test func desktopEntriesOfThePersonsOwnFoldersNameNobody() throws {
        let folder = try mine()
        try folder.write("#!/bin/true", to: "bin/example", mode: 0o755)
        try folder.write(
            "[Desktop Entry]\nName=Bank\nExec=\(folder.path)/bin/example\n", to: "applications/org.bank.App.desktop")
        let file = try #require(ProgramFile(path: folder.path + "/bin/example"))
        let entries = DesktopEntries(folders: [folder.path + "/applications"], programs: [])
        #expect(entries.entries(of: file).isEmpty)
    }

    /// The entries of the machine itself are read, and none of them starts this program.
    @Test func aProgramThatNoEntryStartsHasNone() throws {
        let file = try #require(ProgramFile(path: "/proc/self/exe"))
        #expect(DesktopEntries.ofSystem.entries(of: file).isEmpty)
    }

    @Test func whatAProcessWritesIntoItsOwnRootMakesItNoFlatpakApp() throws {
        let folder = try mine()
        try folder.write("#!/bin/true", to: "app/org.bank.App/files/bin/example", mode: 0o755)
        let app = try #require(
            FlatpakApp(
                DesktopFile(
                    "[Application]\nname=org.bank.App\n[Instance]\n"
                        + "app-path=\(folder.path)/app/org.bank.App/files\n")))
        let process = try #require(Self.own())
        let program = try #require(ClientProgram(of: process))
        // Neither the wrong place, nor the right place with another program in it, nor one that anybody writes to.
        #expect(!app.vouches(for: program, FlatpakApp.installations))
        #expect(!app.vouches(for: program, [folder.path]))
    }

    @Test func aProgramOfThePersonsOwnCanBeNamedByNoSite() throws {
        let process = try #require(Self.own())
        var program = try #require(ClientProgram(of: process))
        program.contents = nil
        let identity = AppIdentity(process, program, entries: DesktopEntries(folders: [], programs: []))
        #expect(identity.path == program.path)
        #expect(identity.names == (program.isSystems ? ["program:\(program.path)"] : []))
    }

    private static func own() -> PeerProcess? {
        guard let (ours, theirs) = try? LocalSocket.pair() else { return nil }
        let connection = Connection(descriptor: ours, peer: .known(.broker))
        _ = theirs
        return connection.client
    }
}
