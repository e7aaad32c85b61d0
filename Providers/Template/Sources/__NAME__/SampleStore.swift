import Foundation

/// Three accounts in memory, and a lock that a word opens. Put your own store in its place.
struct SampleStore {
    struct Account: Identifiable {
        let id: String
        let user: String
        let domain: String
        let password: String
    }

    /// Every account. A real store would decrypt these when it is unlocked.
    let accounts = [
        Account(id: "1", user: "ada", domain: "example.com", password: "sample-password-of-ada"),
        Account(id: "2", user: "grace", domain: "example.org", password: "sample-password-of-grace"),
        Account(id: "3", user: "alan", domain: "example.net", password: "sample-password-of-alan"),
    ]

    subscript(id: String) -> Account? { accounts.first { $0.id == id } }

    // MARK: The lock

    /// The lock is a file, for the system may run several processes of this program beside each other.
    private var lock: URL {
        let environment = ProcessInfo.processInfo.environment
        let state = environment["XDG_STATE_HOME"] ?? "\(environment["HOME"] ?? "")/.local/state"
        return URL(filePath: state).appending(path: "__name__/locked")
    }

    var isLocked: Bool { FileManager.default.fileExists(atPath: lock.path) }

    func close() throws {
        try FileManager.default.createDirectory(at: lock.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data().write(to: lock)
    }

    /// Opens the lock with the word; whether it was the right one.
    func open(with word: UnsafeRawBufferPointer) -> Bool {
        guard word.elementsEqual("sesame".utf8) else { return false }
        try? FileManager.default.removeItem(at: lock)
        return true
    }
}
