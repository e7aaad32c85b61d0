package import AutoFillProtocol
import Confinement
import Glibc
package import KeywaySystem

/// A commit that the broker makes for a bundle, in a repository that the bundle may only read. git runs as confined as
/// the bundle does: it reads the work tree, writes to the repository, has no network and can run no other program.
struct RepositoryCommit: Sendable {
    /// What git must not do, whatever the repository and the person have set: run hooks and other programs, sign, and
    /// begin work of its own. Filters of attributes fail, since no program is there for them.
    static let settings = [
        "core.hooksPath=/dev/null", "core.fsmonitor=false", "core.attributesFile=/dev/null", "core.editor=/bin/false",
        "core.sshCommand=/bin/false", "gpg.program=/bin/false", "commit.gpgSign=false", "gc.auto=0",
        "maintenance.auto=false", "protocol.allow=never",
    ]
    /// Where the programs lie that git is made of.
    private static let gitCore = "/usr/lib/git-core"

    /// The work tree, without links, and as the bundle sees it.
    let folder: Enclosure.Place
    private let paths: [String]
    private let message: String

    /// The commit that a bundle asks for.
    ///
    /// - Parameter written: where the bundle may write, and what each path is without links.
    /// - Throws: ``ProtocolError``: `invalidParameters`, `refused`, `notFound`.
    init(_ changes: CommitChanges.Parameters, written: [String: String]) throws(ProtocolError) {
        let bound = CommitChanges.Parameters.maximumBytes
        guard (1...CommitChanges.Parameters.maximumPaths).contains(changes.paths.count),
            changes.paths.reduce(0, { $0 + $1.utf8.count }) <= CommitChanges.Parameters.maximumPathBytes,
            changes.paths.allSatisfy({ $0.utf8.count <= bound && Self.isInWorkTree($0) }),
            (1...bound).contains(changes.message.utf8.count), !changes.message.utf8.contains(0)
        else {
            throw ProtocolError(.invalidParameters, "The files are not in the work tree, or the message is missing.")
        }
        // Only what is a mount of its own: the bundle could put a link in the place of a folder below.
        let named = written.first { $0.key == changes.repository || $0.value == changes.repository }
        guard let (path, source) = named
        else { throw ProtocolError(.refused, "The bundle doesn't declare that it writes to this folder.") }
        var status = stat()
        guard lstat("\(source)/.git", &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw ProtocolError(.notFound, "There is no repository in that folder.")
        }
        folder = .init(source: source, path: path)
        (paths, message) = (changes.paths, changes.message)
    }

    /// Whether the path leads to something in the work tree, and not into a repository.
    static func isInWorkTree(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return !path.utf8.contains(0)
            && parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." && $0.lowercased() != ".git" }
    }

    /// What git reaches. Settings of the person's are read where they are; without them there is no author.
    func enclosure(git: String, _ folders: SandboxFolders) -> Enclosure {
        var enclosure = Enclosure(limits: .ofExtension)
        enclosure.privateFolders = folders.privateFolders
        enclosure.places[folder] = .read
        let repository = Enclosure.Place(source: "\(folder.source)/.git", path: "\(folder.path)/.git")
        enclosure.places[repository] = .write
        for text in ["~/.gitconfig", "$XDG_CONFIG_HOME/git"] {
            guard let path = folders.expand(text),
                case .place(let source) = PathWalk.end(of: path, avoiding: [folder.source])
            else { continue }
            enclosure.places[.init(source: source, path: path)] = .read
        }
        enclosure.programs = [git] + (access(Self.gitCore, X_OK) == 0 ? [Self.gitCore] : [])
        return enclosure
    }

    /// Takes the files up.
    var add: [String] { command("add", "--all") + named }
    /// Ends with 1 where something is there to be committed.
    var look: [String] { command("diff", "--cached", "--quiet", "--no-ext-diff", "--no-textconv") + named }
    /// Commits those files, and nothing else that is taken up.
    var commit: [String] { command("commit", "--quiet", "--no-verify", "--no-gpg-sign", "-m", message) + named }

    private var named: [String] { ["--"] + paths }

    private func command(_ words: String...) -> [String] {
        let place = ["-C", folder.path, "--git-dir=\(folder.path)/.git", "--work-tree=\(folder.path)"]
        return place + ["--literal-pathspecs", "--no-pager"] + Self.settings.flatMap { ["-c", $0] } + words
    }
}

extension ProcessLauncher {
    /// How long git may take.
    private static let patience = Duration.seconds(30)

    package func commit(_ changes: CommitChanges.Parameters, of bundle: ProviderBundle) async throws(ProtocolError) {
        let plan = SandboxPlan(bundle: bundle, group: nil, folders: folders)
        let commit = try RepositoryCommit(changes, written: try plan.written())
        guard let git = SystemProgram.path(of: "git") else { throw ProtocolError(.notFound, "git is not installed.") }
        // One after another: git takes a lock and does not wait for it.
        try await committing.run { () async throws(ProtocolError) in
            try await run(git, commit.add, commit, of: bundle)
            guard try await run(git, commit.look, commit, of: bundle, accepts: [0, 1]) == 1 else { return }
            try await run(git, commit.commit, commit, of: bundle)
        }
    }

    @discardableResult
    private func run(
        _ git: String, _ words: [String], _ commit: RepositoryCommit, of bundle: ProviderBundle,
        accepts: Set<CInt> = [0]
    ) async throws(ProtocolError) -> CInt {
        let process = try start(git, words, commit, of: bundle)
        let watch = Task {
            try await Task.sleep(for: Self.patience)
            process.send(signal: SIGKILL)
        }
        defer { watch.cancel() }
        let status = await withCheckedContinuation { continuation in
            process.onExit { continuation.resume(returning: $0) }
        }
        let code = (status >> 8) & 0xff
        guard status & 0x7f == 0, accepts.contains(code) else {
            throw ProtocolError(.providerFailed, "git did not commit (\(ChildProcess.describe(status: status))).")
        }
        return code
    }

    private func start(
        _ git: String, _ words: [String], _ commit: RepositoryCommit, of bundle: ProviderBundle
    ) throws(ProtocolError) -> any LaunchedProcess {
        let strength = known.withLock { $0?.strength } ?? .full
        let enclosure = commit.enclosure(git: git, folders)
        let command =
            strength == .full
            ? tools.enclosed(enclosure, .run(git), words)
            : tools.bare(of: enclosure, .run(git), needsLandlock: strength == .partial, words)
        guard let command else { throw ProtocolError(.notFound, "keyway-confine is not installed.") }
        let (report, theirReport) = try LocalSocket.pair()
        try report.wantCredentials()
        let output = try ProviderOutput.begin("git of \(bundle.reference.identifier) wrote", log: log)
        // Its program speaks with nobody.
        let (_, channel) = try LocalSocket.pair()
        let child = try GroupedProcess(in: group("git", of: bundle, .ofExtension)) { (folder) throws(ProtocolError) in
            try LastingThread.starting.run { () throws(ProtocolError) in
                try ChildProcess(
                    path: command.path, arguments: command.arguments, environment: self.gitEnvironment,
                    channel: channel, report: theirReport, output: output, endsGroup: true, controlGroup: folder)
            }
        }
        return ConfinedProcess(
            child, report: report, isEnclosed: strength == .full, waitsForDebugger: false, log: log)
    }

    private var gitEnvironment: [String: String] {
        var environment = self.environment.filter { ["HOME", "LANG", "XDG_CONFIG_HOME"].contains($0.key) }
        environment["PATH"] = "/usr/bin:/bin"
        environment["TMPDIR"] = "/tmp"
        environment["GIT_CONFIG_NOSYSTEM"] = "1"
        environment["GIT_TERMINAL_PROMPT"] = "0"
        environment["GIT_ATTR_NOSYSTEM"] = "1"
        return environment
    }
}
