import Foundation
import PassEntries
import Testing

@testable import PasswordStore

/// A store with a real gpg and a key that has no passphrase. To be closed: gpg leaves an agent behind.
struct OpenStore: Sendable {
    /// Short, since gpg's sockets lie in it.
    let folder: String
    let settings: StoreSettings

    var store: PasswordStore { PasswordStore(settings) }

    /// Runs `body` with a store.
    static func with(_ body: (OpenStore) async throws -> Void) async throws {
        var template = Array("/tmp/kws-XXXXXX".utf8CString)
        let open = OpenStore(folder: String(cString: try #require(mkdtemp(&template))))
        do {
            try await open.prepare()
            try await body(open)
        } catch {
            await open.close()
            throw error
        }
        await open.close()
    }

    private init(folder: String) {
        self.folder = folder
        settings = StoreSettings(
            [.folder: "\(folder)/store", .keyring: "\(folder)/keys"], environment: ["HOME": folder])
    }

    private func prepare() async throws {
        for name in ["store", "keys"] {
            try FileManager.default.createDirectory(
                atPath: "\(folder)/\(name)", withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
        }
        try Data("ada@example.com\n".utf8).write(to: URL(fileURLWithPath: "\(settings.folder)/.gpg-id"))
        try await run(
            "gpg", "--batch", "--quiet", "--passphrase", "", "--quick-generate-key", "ada@example.com",
            "future-default", "default", "never")
    }

    private func close() async {
        try? await run("gpgconf", "--kill", "all")
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func run(_ program: String, _ arguments: String...) async throws {
        let run = ProgramRun(program: program, arguments: arguments, environment: settings.environment())
        let result = try await run.result()
        try #require(result.status == 0, "\(program): \(result.complaint)")
    }

    /// All of an entry as text.
    func text(_ name: EntryName) async throws -> String? {
        let contents = try await store.contents(of: name)
        return contents.bytes.text(0..<contents.bytes.count)
    }
}
