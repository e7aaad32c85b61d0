import KeywayCrypto
import KeywaySystem

/// An answer to the request that waits: it is opened with that request's keys, and no other one is afterwards.
struct AnswerOpening {
    private let context: CommandContext
    private var waiting: WaitingRequest
    private let digest: String
    /// The answer, as it was when it was first looked at.
    let document: SealedDocument

    /// What is needed to open the answer in `file`.
    ///
    /// - Throws: ``CommandError``: `notFound` where no request waits; `refused` where another answer was opened already.
    init(_ file: ExportFile, of context: CommandContext) throws {
        guard let waiting = try context.waitingRequest() else {
            throw CommandError(.notFound, Strings.noRequestWaits(file.path), hint: Strings.makeNewRequest)
        }
        var isCopied = true
        document = try SealedDocument { (write) throws(ProtocolError) in
            var (offset, count) = (0, 0)
            let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
            defer { room.deallocate() }
            repeat {
                guard let read = WholeTransfer.read(into: room, from: file.descriptor.rawValue, at: offset) else {
                    isCopied = false
                    return
                }
                (count, offset) = (read, offset + read)
                try write(UnsafeRawBufferPointer(rebasing: room[..<count]))
            } while count > 0
        }
        guard isCopied else { throw CommandError(.failure, Strings.cannotRead(file.path, "")) }
        digest = try document.withUnsafeBytes { (bytes) throws(ProtocolError) in
            Digest.sha256(bytes).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        guard waiting.answer.isEmpty || waiting.answer == digest else {
            throw CommandError(.refused, Strings.otherAnswerWasOpened(file.path), hint: Strings.makeNewRequest)
        }
        self.context = context
        self.waiting = waiting
    }

    /// What opens it.
    var keys: SecretBytes { waiting.keys }

    /// Notes that this answer is the one.
    mutating func note() throws {
        try context.say(Strings.answerIsOpened(waiting.fingerprint))
        guard waiting.answer.isEmpty else { return }
        waiting.answer = digest
        try waiting.keep(at: context.requestPath())
    }
}
