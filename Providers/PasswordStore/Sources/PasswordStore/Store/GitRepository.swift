import AuthenticationServices
import Foundation

/// The git work tree that a store may be, with the history that `pass` keeps there.
struct GitRepository: Sendable {
    private let folder: String
    private let environment: [String: String]

    /// The work tree in which a file lies; nil when it lies in none.
    init?(around path: String, _ settings: StoreSettings) async throws {
        var folder = (path as NSString).deletingLastPathComponent
        while !FileManager.default.fileExists(atPath: folder), folder.hasPrefix(settings.folder) {
            folder = (folder as NSString).deletingLastPathComponent
        }
        self.folder = folder
        environment = settings.environment()
        guard let answer = try? await git("rev-parse", "--is-inside-work-tree"), Self.text(answer) == "true" else {
            try Task.checkCancellation()
            return nil
        }
    }

    /// The most files of one commit.
    private static let maximumFiles = 4000
    /// The most bytes of their paths.
    private static let maximumBytes = 200_000

    /// Commits what files are now, where they changed: as one commit, unless they are thousands.
    ///
    /// - Throws: ``StoreError`` when git refuses; and `CancellationError`.
    func commit(_ paths: [String], _ message: String) async throws {
        let top = try await Self.text(git("rev-parse", "--show-toplevel"))
        let names = paths.map { path in
            URL(fileURLWithPath: path).deletingLastPathComponent().resolvingSymlinksInPath()
                .appendingPathComponent((path as NSString).lastPathComponent).path
        }
        guard !top.isEmpty, names.allSatisfy({ $0.hasPrefix(top + "/") }) else {
            throw StoreError.failed("git names another folder.")
        }
        // The system commits, and signs nothing.
        let signs = try? await git("config", "--bool", "--get", "pass.signcommits")
        guard signs.map(Self.text) != "true" else { throw StoreError.failed("The commit is to be signed.") }
        var part: [String] = []
        var bytes = 0
        for name in names.map({ String($0.dropFirst(top.count + 1)) }) {
            if part.count >= Self.maximumFiles || bytes + name.utf8.count > Self.maximumBytes {
                try await KeywayRepository.commit(paths: part, in: top, message: message)
                (part, bytes) = ([], 0)
            }
            part.append(name)
            bytes += name.utf8.count
        }
        try await KeywayRepository.commit(paths: part, in: top, message: message)
    }

    private func git(_ arguments: String...) async throws -> SecretBuffer {
        try await git(arguments)
    }

    private func git(_ arguments: [String]) async throws -> SecretBuffer {
        let run = ProgramRun(program: "git", arguments: ["-C", folder] + arguments, environment: environment)
        let result = try await run.result()
        guard result.status == 0 else { throw StoreError.failed("git \(arguments.first ?? "") failed.") }
        return result.output
    }

    private static func text(_ output: SecretBuffer) -> String {
        output.withBytes { String(decoding: $0, as: UTF8.self) }.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
