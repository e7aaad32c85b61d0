import Glibc
import Testing

@testable import KeywayCommand

/// Stored texts. After a change that is meant, `KEYWAY_STORE=1 swift test` writes them anew, for review.
enum Expected {
    static let root = String(#filePath.dropLast("Tests/KeywayCommandTests/Expected.swift".count))
    private static let machine = SystemMachine(environment: [:])

    static func expect(_ text: String, _ name: String) throws {
        let path = root + "Tests/KeywayCommandTests/Expected/" + name
        if getenv("KEYWAY_STORE") != nil {
            try machine.makeFolder(path.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 })
            try machine.replace(path, with: text, mode: 0o644)
        }
        #expect(text == (try read(path)))
    }

    static func read(_ path: String) throws -> String {
        String(decoding: try #require(machine.read(path, limit: 1 << 20)), as: UTF8.self)
    }
}
