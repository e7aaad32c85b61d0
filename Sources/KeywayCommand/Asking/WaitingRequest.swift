import Glibc
import KeywayCrypto
import KeywaySystem

/// The last request for an export that was made here, as long as it waits for its answer: its keys, in memory that goes with
/// the login session.
struct WaitingRequest {
    /// How long a request waits, in seconds.
    static let life: Int64 = 24 * 60 * 60
    private static let firstLine = "keyway-request 1"
    private static let longest = 1 << 16

    /// What opens the answer.
    let keys: SecretBytes
    /// When it ends, in seconds since 1970.
    let ends: Int64
    /// What both sides compare.
    let fingerprint: String
    /// SHA-256 of the one answer that was opened, in hexadecimal digits; empty where none was.
    var answer = ""

    /// A request that was made just now.
    init(keys: SecretBytes, fingerprint: String, now: Int64) {
        self.keys = keys
        self.fingerprint = fingerprint
        ends = now + Self.life
    }

    // MARK: - Where it is kept

    /// Reads the one that waits at `path`; nil where none does. One that has ended is removed.
    ///
    /// - Throws: ``CommandError``: `refused` where others can read it.
    init?(at path: String, now: Int64) throws(CommandError) {
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard number >= 0 else { return nil }
        let file = OwnedDescriptor(number)
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            status.st_mode & 0o077 == 0
        else { throw CommandError(.refused, Strings.requestIsOpenToOthers(path)) }
        let bytes = SecretBytes(upTo: Self.longest) { room in
            WholeTransfer.read(into: room, from: file.rawValue, at: 0) ?? 0
        }
        let found = bytes.withUnsafeBytes { bytes -> (lines: [String], keys: SecretBytes)? in
            let lines = bytes.split(separator: 0x0A, maxSplits: 4, omittingEmptySubsequences: false)
            guard lines.count == 5 else { return nil }
            return (
                lines[..<4].map { String(decoding: $0, as: UTF8.self) },
                SecretBytes(copying: UnsafeRawBufferPointer(rebasing: lines[4]))
            )
        }
        // A clock that was set back doesn't give it a longer life.
        guard let found, found.lines[0] == Self.firstLine, let ends = Int64(found.lines[1]),
            now <= ends, ends <= now + Self.life
        else {
            Self.remove(path)
            return nil
        }
        self.ends = ends
        (fingerprint, answer, keys) = (found.lines[2], found.lines[3], found.keys)
    }

    /// Puts it in the place of the one before.
    ///
    /// - Throws: ``CommandError``.
    func keep(at path: String) throws(CommandError) {
        let buffer = SecretBuffer()
        buffer.append(utf8Of: "\(Self.firstLine)\n\(ends)\n\(fingerprint)\n\(answer)\n")
        buffer.append(keys)
        try PrivateFile.write(buffer.finish(), to: path, replaces: true)
    }

    /// Removes the one that waits.
    static func remove(_ path: String) { unlink(path) }
}

extension CommandContext {
    /// Where the request lies that waits for its answer.
    ///
    /// - Throws: ``ProtocolError`` where there is no place that only the person can read.
    func requestPath() throws(ProtocolError) -> String {
        let paths = try KeywayPaths(environment: surroundings.environment)
        try PrivateFolder.prepare(paths.runtime)
        return paths.exchangeRequest
    }

    /// The request that waits for its answer.
    func waitingRequest() throws -> WaitingRequest? {
        try WaitingRequest(at: requestPath(), now: surroundings.clock.seconds)
    }
}
