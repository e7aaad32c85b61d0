import Foundation
import PassEntries
import Testing

@testable import PasswordStore

@Suite("The folder of a store")
final class StoreFolderTests {
    private let root = NSTemporaryDirectory() + "/store-\(UInt64.random(in: 0 ... .max))"

    init() throws {
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: root)
    }

    private func write(_ path: String, _ text: String = "") throws {
        let url = URL(fileURLWithPath: "\(root)/\(path)")
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    private func settings(_ values: [StoreSettings.Name: String] = [:]) -> StoreSettings {
        StoreSettings([.folder: root].merging(values) { $1 }, environment: ["HOME": "/home/ada"])
    }

    @Test("entries are files that end in .gpg; what begins with a dot is not looked at; circles end")
    func tree() throws {
        for path in [
            "b.gpg", "a/x.gpg", "a/.hidden.gpg", ".git/y.gpg", "a/note.txt", "a/z.gpg.tmp", "A.GPG", ".gpg-id",
        ] {
            try write(path)
        }
        try FileManager.default.createSymbolicLink(atPath: "\(root)/a/up", withDestinationPath: "..")
        try FileManager.default.createSymbolicLink(atPath: "\(root)/link.gpg", withDestinationPath: "a/x.gpg")
        try FileManager.default.createSymbolicLink(atPath: "\(root)/broken.gpg", withDestinationPath: "nowhere")
        let tree = StoreTree(root: root)
        #expect(tree.entries.map(\.text) == ["a/x", "b", "link"])
        #expect(tree.folders == [root, "\(root)/a"])
        #expect(StoreTree(root: "/nowhere").entries.isEmpty)
    }

    private func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: "\(root)/\(path)", withDestinationPath: target)
    }

    @Test("links that double the paths with every folder come to an end, and no entry is missed")
    func doubled() throws {
        let depth = 26
        for number in 0..<depth {
            try write("d\(number)/x.gpg")
            guard number + 1 < depth else { continue }
            for name in ["a", "b"] { try link("d\(number)/\(name)", to: "../d\(number + 1)") }
        }
        let tree = StoreTree(root: root)
        #expect(tree.folders.count <= depth * StoreTree.maximumPaths + 1)
        #expect(Set(tree.entries.map(\.text)).isSuperset(of: (0..<depth).map { "d\($0)/x" }))
    }

    @Test("a folder that has another name has its entries under both")
    func aliases() throws {
        try write("google.com/ada.gpg")
        try link("youtube.com", to: "google.com")
        #expect(StoreTree(root: root).entries.map(\.text) == ["google.com/ada", "youtube.com/ada"])
    }

    @Test("where there are too many folders, those that are none of the store's own are left out first")
    func tooMany() throws {
        for name in ["b", "c"] { try write("\(name)/x.gpg") }
        for name in ["a", "d"] { try link(name, to: "b") }
        #expect(StoreTree(root: root, maximumFolders: 3).entries.map(\.text) == ["b/x", "c/x"])
        #expect(StoreTree(root: root, maximumFolders: 4).entries.count == 3)
        #expect(StoreTree(root: root).entries.map(\.text) == ["a/x", "b/x", "c/x", "d/x"])
    }

    @Test(
        "the recipients are those of the nearest folder",
        arguments: [
            ("", "/.gpg-id"), ("a", "/a/.gpg-id"), ("a/b", "/a/.gpg-id"), ("a/new/deep", "/a/.gpg-id"),
            ("ab", "/.gpg-id"),
        ])
    func nearest(folder: String, expected: String) throws {
        try write(".gpg-id", "KEY")
        try write("a/.gpg-id", "KEY")
        try write("a/b/x.gpg")
        #expect(Recipients(settings: settings()).nearestFile(toFolder: folder) == root + expected)
    }

    @Test("a line is a recipient, and what stands behind # is not")
    func recipients() async throws {
        #expect(Recipients.recipients(inFile: "A1 # mine\n\n# none\n Ada <a@b> \nlast") == ["A1", "Ada <a@b>", "last"])
        await #expect(throws: StoreError.noStore(root)) {
            try await Recipients(settings: settings()).recipients(ofFolder: "")
        }
        let fixed = settings([.recipients: "K1  K2"])
        #expect(try await Recipients(settings: fixed).recipients(ofFolder: "x") == ["K1", "K2"])
    }

    @Test("a new file never takes the place of another")
    func create() throws {
        let name = try #require(EntryName("a/new"))
        let file = EntryFile(name, settings([.umask: "027"]))
        try file.makeFolders()
        try file.create(SecretBuffer("one".utf8))
        #expect(throws: StoreError.exists) { try file.create(SecretBuffer("two".utf8)) }
        #expect(try String(contentsOfFile: file.path, encoding: .utf8) == "one")
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o640)
        try file.replace(SecretBuffer("three".utf8))
        #expect(try String(contentsOfFile: file.path, encoding: .utf8) == "three")
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(root)/a") == ["new.gpg"])
    }

    @Test("what a link leads to is changed, and the link stays")
    func replaceThroughLink() throws {
        try write("a/x.gpg", "one")
        try FileManager.default.createSymbolicLink(atPath: "\(root)/link.gpg", withDestinationPath: "a/x.gpg")
        try EntryFile(try #require(EntryName("link")), settings()).replace(SecretBuffer("two".utf8))
        #expect(try String(contentsOfFile: "\(root)/a/x.gpg", encoding: .utf8) == "two")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "\(root)/link.gpg") == "a/x.gpg")
    }

    @Test("settings are read from lines, and the environment wins")
    func lines() {
        let text =
            "# PASSWORD_STORE_KEY=no\nPASSWORD_STORE_DIR=~/my store/\nOTHER=1\nPASSWORD_STORE_UMASK=abc\nGNUPGHOME=~/keys\n"
        let read = StoreSettings(StoreSettings.values(inFile: text), environment: ["HOME": "/home/ada"])
        #expect(read.folder == "/home/ada/my store")
        #expect(read.umask == 0o077 && read.generatedLength == 25 && read.recipients.isEmpty)
        #expect(read.environment(["HOME": "/home/ada", "SECRET": "x"])["GNUPGHOME"] == "/home/ada/keys")
        #expect(read.environment(["HOME": "/home/ada", "SECRET": "x", "GIT_DIR": "/x"])["SECRET"] == nil)
        let other = StoreSettings([.folder: "/a"], environment: ["HOME": "/home/ada", "PASSWORD_STORE_DIR": "/b"])
        #expect(other.folder == "/b")
        #expect(StoreSettings(environment: ["HOME": "/home/ada"]).folder == "/home/ada/.password-store")
    }

    @Test("another folder is written beside the lines that are there")
    func setFolder() throws {
        let environment = ["HOME": root]
        try write(".config/keyway-password-store/settings", "GNUPGHOME=/keys\nPASSWORD_STORE_DIR=/old\n")
        try StoreSettings.setFolder("/new", environment: environment)
        let text = try String(contentsOfFile: StoreSettings.path(environment), encoding: .utf8)
        #expect(text == "GNUPGHOME=/keys\nPASSWORD_STORE_DIR=/new\n")
    }
}
