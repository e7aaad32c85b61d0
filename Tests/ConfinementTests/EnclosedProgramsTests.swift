import Glibc
import Testing

@testable import Confinement

@Suite("Which of the system's programs are there")
struct EnclosedProgramsTests {
    private static func programs(_ change: (inout Enclosure) -> Void) -> EnclosedPrograms {
        var enclosure = Enclosure(limits: .ofExtension)
        change(&enclosure)
        return EnclosedPrograms(enclosure)
    }

    /// The path without links.
    private static func canonical(_ path: String) throws -> String {
        guard case .place(let end) = PathWalk.end(of: path, avoiding: []) else {
            Issue.record("\(path) is not there")
            return ""
        }
        return end
    }

    @Test("none, where none is declared")
    func none() {
        let programs = Self.programs { _ in }
        #expect(programs.emptyFolders.contains("/usr/bin"))
        #expect(programs.files.isEmpty)
        #expect(programs.links.isEmpty)
    }

    @Test("only folders that are there are emptied, and none through a link")
    func folders() {
        for folder in Self.programs({ _ in }).emptyFolders {
            #expect(PathWalk.end(of: folder, avoiding: []) == .place(folder))
        }
    }

    @Test("one that is declared, by every link that leads to it", arguments: ["/bin/sh", "/usr/bin/sh"])
    func links(path: String) throws {
        let programs = Self.programs { $0.programs = [path, "/usr/bin/env"] }
        let shell = try Self.canonical(path)
        #expect(programs.files == [shell, "/usr/bin/env"].sorted())
        // Wherever a link leads, it leads to the shell.
        for (link, target) in programs.links {
            #expect(PathWalk.target(of: link) == target)
            #expect(try Self.canonical(link) == shell)
        }
    }

    @Test("a folder that is declared as a whole, or holds what is, keeps all that it has")
    func wholes() {
        #expect(!Self.programs { $0.programs = ["/usr/bin"] }.emptyFolders.contains("/usr/bin"))
        let read = Self.programs { $0.places[.init(source: "/usr/bin", path: "/usr/bin")] = .read }
        #expect(!read.emptyFolders.contains("/usr/bin"))
        let home = Self.programs { $0.privateFolders = ["/usr/bin"] }
        #expect(!home.emptyFolders.contains("/usr/bin"), "it is empty anyway, and may be written to")
        #expect(Self.programs { $0.privateFolders = ["/"] }.emptyFolders.contains("/usr/bin"))
    }

    @Test("nothing of a path that is none of the system's, wherever it leads")
    func elsewhere() throws {
        let link = "/tmp/keyway-programs-\(getpid())"
        #expect(symlink("/usr/bin/env", link) == 0)
        defer { unlink(link) }
        #expect(Self.programs { $0.programs = [link, "/usr/bin/nothing-of-that-name"] }.files.isEmpty)
    }

    @Test("for Landlock, no folder that holds programs can be read, and libraries can")
    func readable() {
        let readable = SystemLayout.readableFolders
        #expect(readable.contains { PathWalk.isWithin("/usr/lib", $0) })
        #expect(readable.contains { PathWalk.isWithin("/usr/share", $0) })
        for folder in SystemLayout.programFolders {
            #expect(!readable.contains { PathWalk.isWithin(folder, $0) || PathWalk.isWithin($0, folder) }, "\(folder)")
        }
    }
}
