import BrokerTestSupport
import Confinement
import Glibc
import Testing

@Suite("Where a path leads")
struct PathWalkTests {
    private let folder: TemporaryFolder
    private let root: String

    init() throws {
        folder = try TemporaryFolder()
        root = PathWalk.canonical(folder.path)
        try folder.folder("a/b")
        try folder.write("x", to: "a/b/file")
    }

    private func link(_ name: String, _ target: String) {
        #expect(symlink(target, "\(root)/\(name)") == 0)
    }

    @Test("is what the kernel says", arguments: ["near/file", "far/file", "chain/file", "up/b/file", "a//./b/file"])
    func same(name: String) throws {
        link("near", "a/b")
        link("far", root + "/a/b")
        link("chain", "near")
        link("up", "a/b/..")
        #expect(PathWalk.end(of: "\(root)/\(name)", avoiding: []) == .place("\(root)/a/b/file"))
    }

    @Test("is nowhere for what is missing, and for links in a circle")
    func nowhere() {
        link("round", "about")
        link("about", "round")
        for name in ["none", "a/none/x", "round", "a/b/file/x"] {
            #expect(PathWalk.end(of: "\(root)/\(name)", avoiding: []) == .nothing)
        }
    }

    @Test("is not asked of a folder that is to be avoided, however the way leads there")
    func avoided() {
        link("a/planted", "/etc")
        link("detour", "a/planted")
        link("behind", "detour/passwd")
        link("whole", "a")
        for name in ["a/planted", "detour", "behind", "whole/b", "a/none"] {
            #expect(PathWalk.end(of: "\(root)/\(name)", avoiding: ["\(root)/a"]) == .avoided)
        }
        // The folder itself, and what is called alike, are none of it.
        #expect(PathWalk.end(of: "\(root)/whole", avoiding: ["\(root)/a"]) == .place("\(root)/a"))
        #expect(PathWalk.end(of: "\(root)/a/b/file", avoiding: ["\(root)/a/b/f"]) == .place("\(root)/a/b/file"))
    }

    @Test("is known as far as it is there")
    func canonical() {
        link("near", "a/b")
        #expect(PathWalk.canonical("\(root)/near/x/y") == "\(root)/a/b/x/y")
        #expect(PathWalk.canonical("/nowhere/x") == "/nowhere/x")
        #expect(PathWalk.canonical("/") == "/")
    }
}
