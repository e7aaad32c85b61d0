import Glibc
import PassEntries
import Testing

@testable import PasswordStore

@Suite("the files of a store for an import") final class StoreFilesTests {
    private let path: String

    init() {
        var template = Array("/tmp/keyway-store-XXXXXX".utf8CString)
        path = template.withUnsafeMutableBufferPointer { start in
            start.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) } ?? ""
        }
        for folder in ["outside", "store", "store/Web", "store/.git", "store/Web/.hidden"] {
            mkdir("\(path)/\(folder)", 0o700)
        }
        for file in ["outside/secret", "store/Web/ada", "store/.git/x", "store/Web/.hidden/x", "store/top"] {
            write(file)
        }
    }

    deinit {
        var files = [
            "Web/ada.gpg", "Web/.hidden/x.gpg", ".git/x.gpg", "top.gpg", "link.gpg", "folder", "Web/up", "large.gpg",
        ]
        files = files.map { "store/\($0)" } + ["outside/secret.gpg"]
        for file in files { unlink("\(path)/\(file)") }
        for folder in ["store/Web/.hidden", "store/Web", "store/.git", "store", "outside", ""] {
            rmdir("\(path)/\(folder)")
        }
    }

    private func write(_ name: String) {
        let file = open("\(path)/\(name).gpg", O_WRONLY | O_CREAT, 0o600)
        _ = Glibc.write(file, name, name.utf8.count)
        close(file)
    }

    private func files<Result>(_ body: (StoreFiles) throws -> Result) throws -> Result {
        let root = open("\(path)/store", O_RDONLY | O_DIRECTORY)
        defer { close(root) }
        return try body(StoreFiles(root: root))
    }

    @Test func entriesAreFoundAndWhatBeginsWithADotIsNot() throws {
        let found = try files { files in
            try files.entries.map { try files.contents(of: $0).withBytes { String(decoding: $0, as: UTF8.self) } }
        }
        #expect(found == ["store/Web/ada", "store/top"])
        #expect(try files { $0.entries.map(\.text) } == ["Web/ada", "top"])
    }

    @Test func linksAreToldAndNotFollowed() throws {
        symlink("\(path)/outside", "\(path)/store/folder")
        symlink("\(path)/outside/secret.gpg", "\(path)/store/link.gpg")
        symlink("..", "\(path)/store/Web/up")
        let (entries, skipped) = try files { ($0.entries.map(\.text), $0.skipped.map(\.name)) }
        #expect(entries == ["Web/ada", "top"] && skipped.sorted() == ["Web/up", "folder", "link.gpg"])
    }

    @Test(arguments: ["link", "folder/secret", "Web/up/top"]) func aNameThatLeadsThroughALinkIsNotFound(name: String)
        throws
    {
        symlink("\(path)/outside", "\(path)/store/folder")
        symlink("\(path)/outside/secret.gpg", "\(path)/store/link.gpg")
        symlink("..", "\(path)/store/Web/up")
        let entry = try #require(EntryName(name))
        #expect(throws: StoreError.notFound) { try self.files { _ = try $0.contents(of: entry) } }
    }

    @Test func whatIsTooLargeIsRefused() throws {
        let file = open("\(path)/store/large.gpg", O_WRONLY | O_CREAT, 0o600)
        ftruncate(file, off_t(EntryText.maximumBytes * 2 + 1))
        close(file)
        let entry = try #require(EntryName("large"))
        #expect(throws: StoreError.tooLarge) { try self.files { _ = try $0.contents(of: entry) } }
    }
}
