import AutoFillProtocol
import BrokerTestSupport
import Confinement
import Foundation
import KeywaySystem
import Testing

@testable import ProviderHosting

/// What a bundle may have committed, and what git reaches then.
struct RepositoryCommitTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("[core]", to: "store/.git/config")
        try folder.write("gitdir: elsewhere", to: "worktree/.git")
        try folder.write("entry", to: "plain/entry")
        try FileManager.default.createDirectory(atPath: folder.path + "/linked", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/linked/.git", withDestinationPath: folder.path + "/store/.git")
    }

    private func commit(
        in name: String = "store", _ paths: [String] = ["example.com/ada.gpg"], message: String = "Add it."
    ) throws(ProtocolError) -> RepositoryCommit {
        let written = ["store", "worktree", "plain", "linked"].reduce(into: [String: String]()) {
            $0["/home/ada/\($1)"] = "\(folder.path)/\($1)"
        }
        return try RepositoryCommit(
            .init(repository: "/home/ada/\(name)", paths: paths, message: message), written: written)
    }

    @Test(arguments: [
        "", "/etc/passwd", "../outside", "a/../../outside", "./a", "a//b", "a/", ".git/config", "a/.git/hooks/x",
        ".GIT/config", "a\0b",
    ]) func onlyFilesOfTheWorkTreeAreCommitted(path: String) {
        #expect(throws: ProtocolError.self) { try commit(in: "store", ["ada.gpg", path]) }
    }

    @Test func namesAreNoPatternsAndNoOptions() throws {
        let paths = ["*", ":(top)a", "--force"]
        let commit = try commit(in: "store", paths)
        for words in [commit.add, commit.look, commit.commit] {
            #expect(words.contains("--literal-pathspecs"))
            #expect(words.suffix(4) == ["--"] + paths)
        }
    }

    @Test(arguments: ["other", "store/below"]) func onlyAFolderThatTheBundleDeclaresIsCommittedTo(name: String) {
        #expect { try commit(in: name) } throws: { ($0 as? ProtocolError)?.code == .refused }
    }

    @Test(arguments: ["worktree", "plain", "linked"]) func onlyARepositoryOfItsOwnIsCommittedTo(name: String) {
        #expect { try commit(in: name) } throws: { ($0 as? ProtocolError)?.code == .notFound }
    }

    @Test func gitWritesToTheRepositoryAloneAndRunsNothingElse() throws {
        let paths = try KeywayPaths(environment: ["HOME": folder.path])
        let folders = SandboxFolders(environment: ["HOME": folder.path], paths: paths)
        let enclosure = try commit().enclosure(git: "/usr/bin/git", folders)
        let written = enclosure.places.filter { $0.value == .write }.keys.map(\.path)
        #expect(written == ["/home/ada/store/.git"])
        #expect(enclosure.places[.init(source: folder.path + "/store", path: "/home/ada/store")] == .read)
        #expect(!enclosure.places.values.contains(.run))
        #expect(Set(enclosure.programs).isSubset(of: ["/usr/bin/git", "/usr/lib/git-core"]))
        #expect(!enclosure.usesNetwork)
    }

    @Test(arguments: [0, CommitChanges.Parameters.maximumPaths + 1]) func aCommitIsBounded(count: Int) {
        #expect(throws: ProtocolError.self) { try commit(in: "store", Array(repeating: "a", count: count)) }
        #expect(throws: ProtocolError.self) { try commit(message: "") }
        #expect(throws: ProtocolError.self) {
            try commit(message: String(repeating: "a", count: CommitChanges.Parameters.maximumBytes + 1))
        }
    }
}
