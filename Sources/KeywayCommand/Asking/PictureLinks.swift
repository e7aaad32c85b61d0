import Confinement
import Dispatch
import Glibc
import KeywayCrypto
import KeywaySystem

/// The links for one-time codes in a picture. It is read by `keyway-qr-reader`, in a sandbox: a picture can come from
/// anybody, and what reads pictures is large.
struct PictureLinks {
    /// The most that the reader may say, in bytes.
    private static let limit = 1 << 17
    /// How long it may take.
    private static let patience = Duration.seconds(30)
    private let reader: ConfinedReader

    /// With the programs that lie beside `program`, or where it is installed.
    init(program: String) {
        reader = ConfinedReader(
            "keyway-qr-reader", beside: program,
            limits: ResourceLimits(memory: 1 << 30, processes: nil, fileBytes: 0, descriptors: 32, seconds: 25))
    }

    /// The only link in the picture at `path`.
    ///
    /// - Throws: ``CommandError``: `failure` where it cannot be read, `notFound` without a link, `ambiguous` with several.
    func link(in path: String) async throws -> SecretBytes {
        let links = try await links(in: path)
        guard let first = links.first else {
            throw CommandError(.notFound, Strings.pictureHasNoCode(path), hint: Strings.cutPicture)
        }
        guard links.count == 1 else {
            throw CommandError(.ambiguous, Strings.pictureHasSeveralCodes(path), hint: Strings.cutPicture)
        }
        return first
    }

    private func links(in path: String) async throws -> [SecretBytes] {
        // Never a pipe or a terminal, which would keep the reader waiting.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else {
            throw CommandError(.failure, Strings.cannotOpen(path, SystemCall.describe(errno)))
        }
        let picture = OwnedDescriptor(file)
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw CommandError(.failure, Strings.noPicture(path))
        }
        let (child, output) = try start(picture)
        let text = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: Self.read(output)) }
        }
        // What is not over by now is not waited for.
        if text == nil { child.send(signal: SIGKILL) }
        let end = await withCheckedContinuation { continuation in
            child.onExit { continuation.resume(returning: $0) }
        }
        switch (text, end & 0x7F, end >> 8 & 0xFF) {
        case (let text?, 0, 0): return Self.lines(of: text)
        case (_, 0, 1): return []
        case (_, 0, EX_DATAERR): throw CommandError(.failure, Strings.noPicture(path))
        case (nil, _, _): throw CommandError(.failure, Strings.pictureTooHard(path))
        default: throw CommandError(.failure, Strings.pictureFailed(ChildProcess.describe(status: end)))
        }
    }

    /// Starts the reader. Our copy of its end of the socket is closed when this returns, so that its end is heard.
    private func start(_ picture: OwnedDescriptor) throws -> (ChildProcess, OwnedDescriptor) {
        let (ours, theirs) = try LocalSocket.pair()
        return (try reader.start(picture, channel: theirs), ours)
    }

    /// All that it says; nil when it says too much, or too slowly.
    private static func read(_ descriptor: OwnedDescriptor) -> SecretBytes? {
        var isWhole = false
        let bytes = SecretBytes(upTo: limit) { room in
            let count = WholeTransfer.readToEnd(into: room, from: descriptor.rawValue, within: patience)
            isWhole = count != nil
            return count ?? 0
        }
        return isWhole ? bytes : nil
    }

    private static func lines(of text: SecretBytes) -> [SecretBytes] {
        text.withUnsafeBytes { bytes in
            bytes.split(separator: UInt8(ascii: "\n")).map {
                SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0))
            }
        }
    }
}
