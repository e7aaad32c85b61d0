import Foundation
import PassEntries
import Testing

@testable import PasswordStore

/// Each writer has a lock of its own, as each extension does: flock tells two openings of a folder apart wherever they
/// were made.
@Suite("Changes by several at once")
struct ConcurrentChangeTests {
    private static let link = "otpauth://hotp/x?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&counter=0"
    /// RFC 4226, appendix D; the counter is that of the last code.
    private static let codes = ["287082", "359152", "969429", "338314"]

    private func name() throws -> EntryName { try #require(EntryName("example.com/ada")) }

    @Test("no code of a counter is given twice")
    func codes() async throws {
        try await OpenStore.with { open in
            let name = try name()
            try await open.store.insert(SecretBuffer("\(Self.link)\n".utf8), as: name)
            // All have read the same before anybody writes.
            let contents = try await open.store.contents(of: name)
            let given = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in Self.codes { group.addTask { try await open.store.code(of: contents, in: name, at: 0) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(given.sorted() == Self.codes.sorted())
            #expect(
                try await open.text(name) == Self.link.replacingOccurrences(of: "counter=0", with: "counter=4") + "\n")
            let left = try FileManager.default.contentsOfDirectory(atPath: open.settings.folder)
            #expect(left.sorted() == [".gpg-id", "example.com"], "the lock is no file")
        }
    }

    @Test("what somebody else changed since an entry was read stays")
    func edits() async throws {
        try await OpenStore.with { open in
            let (name, store) = (try name(), open.store)
            try await store.insert(SecretBuffer("old\n\(Self.link)\n".utf8), as: name)
            let old = try await store.contents(of: name)
            _ = try await store.update(name, known: old, message: "") { _ in
                (SecretBuffer("old\nnote: kept\n\(Self.link)\n".utf8), ())
            }
            #expect(try await store.code(of: old, in: name, at: 0) == Self.codes[0])
            _ = try await store.update(name, known: old, message: "") { contents in
                (contents.replacingPassword(SecretBuffer("new".utf8)), ())
            }
            let link = Self.link.replacingOccurrences(of: "counter=0", with: "counter=1")
            #expect(try await open.text(name) == "new\nnote: kept\n\(link)\n")
        }
    }

    @Test("contents that replace all of an entry do so only while it is what it was")
    func replacement() async throws {
        try await OpenStore.with { open in
            let (name, store) = (try name(), open.store)
            let first = try await store.insert(SecretBuffer("one\n".utf8), as: name)
            let two = SecretBuffer("two\n".utf8)
            #expect(try await store.replace(two, of: name, ifStill: first, message: ""))
            #expect(try await !store.replace(SecretBuffer("three\n".utf8), of: name, ifStill: first, message: ""))
            #expect(try await open.text(name) == "two\n")
        }
    }

    @Test("a link that makes codes by time since is heeded, and nothing is written for it")
    func timed() async throws {
        try await OpenStore.with { open in
            let (name, store) = (try name(), open.store)
            try await store.insert(SecretBuffer("\(Self.link)\n".utf8), as: name)
            let old = try await store.contents(of: name)
            let timed = "otpauth://totp/x?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ\n"
            _ = try await store.update(name, known: old, message: "") { _ in (SecretBuffer(timed.utf8), ()) }
            #expect(try await store.code(of: old, in: name, at: 30) == Self.codes[0])
            #expect(try await open.text(name) == timed)
        }
    }

    @Test("who holds the lock keeps the others out until it is given back")
    func lock() async throws {
        var template = Array("/tmp/kws-XXXXXX".utf8CString)
        let folder = String(cString: try #require(mkdtemp(&template)))
        defer { rmdir(folder) }
        let first = try await StoreLock(folder)
        await #expect(throws: StoreError.failed("The password store is being changed.")) {
            _ = try await StoreLock(folder, limit: .milliseconds(30))
        }
        first.release()
        try await StoreLock(folder, limit: .zero).release()
        await #expect(throws: StoreError.noStore(folder + "/none")) { _ = try await StoreLock(folder + "/none") }
    }
}
