import Foundation

/// The pipes to and from one program, and what goes through them.
final class ProgramConversation {
    /// What gpg and git say of themselves is short.
    private static let maximumTalk = 1 << 18

    private let input: SecretBuffer
    private var written = 0
    private let inputPipe: ProgramPipe
    private let outputPipe: ProgramPipe
    private let errorPipe: ProgramPipe
    private let statusPipe: ProgramPipe
    private var passphrasePipe: ProgramPipe?
    private let output: ProgramOutput
    private let complaint = ProgramOutput(limit: maximumTalk)
    private let status = ProgramOutput(limit: maximumTalk)

    /// Opens the pipes. A passphrase is short enough to lie in its pipe until it is read.
    ///
    /// - Throws: ``StoreError/failed(_:)`` when there are no descriptors left.
    init(input: SecretBuffer?, passphrase: SecretBuffer?, outputLimit: Int) throws(StoreError) {
        self.input = input ?? SecretBuffer([])
        output = ProgramOutput(limit: outputLimit)
        inputPipe = try ProgramPipe()
        outputPipe = try ProgramPipe()
        errorPipe = try ProgramPipe()
        statusPipe = try ProgramPipe()
        for end in [inputPipe.writing, outputPipe.reading, errorPipe.reading, statusPipe.reading] {
            ProgramPipe.doNotBlock(end)
        }
        guard let passphrase else { return }
        let pipe = try ProgramPipe()
        ProgramPipe.doNotBlock(pipe.writing)
        let line = SecretBuffer.joined([passphrase, SecretBuffer([UInt8(ascii: "\n")])])
        let count = line.withBytes { write(pipe.writing, $0.baseAddress, $0.count) }
        guard count == line.count else { throw .wrongPassphrase }
        passphrasePipe = pipe
    }

    /// The program's ends, and the numbers that they have there.
    var theirEnds: [(ours: CInt, theirs: CInt)] {
        let ends: [(ours: CInt, theirs: CInt)] = [
            (inputPipe.reading, 0), (outputPipe.writing, 1), (errorPipe.writing, 2), (statusPipe.writing, 3),
        ]
        return passphrasePipe.map { ends + [(ours: $0.reading, theirs: 4)] } ?? ends
    }

    /// Whether the program wrote more than it may.
    var isTooLarge: Bool { output.isTooLarge }

    /// Talks with the program until it has closed its ends, or wrote too much.
    ///
    /// - Returns: false when the time is over before that.
    func run(until deadline: ContinuousClock.Instant) -> Bool {
        inputPipe.closeReading()
        passphrasePipe = nil
        for pipe in [outputPipe, errorPipe, statusPipe] { pipe.closeWriting() }
        if input.count == 0 { inputPipe.closeWriting() }
        let readers = [(outputPipe, output), (errorPipe, complaint), (statusPipe, status)]
        while readers.contains(where: { $0.0.reading >= 0 }) {
            var waiting = readers.map { pollfd(fd: $0.0.reading, events: Int16(POLLIN), revents: 0) }
            waiting.append(pollfd(fd: inputPipe.writing, events: Int16(POLLOUT), revents: 0))
            let rest = deadline - .now
            guard rest > .zero else { return false }
            let milliseconds = min(Int64(rest / .milliseconds(1)) + 1, 60_000)
            guard poll(&waiting, nfds_t(waiting.count), CInt(milliseconds)) > 0 else { continue }
            for (index, reader) in readers.enumerated() where waiting[index].revents != 0 {
                if !reader.1.read(from: reader.0.reading) { reader.0.closeReading() }
            }
            if output.isTooLarge { return true }
            if waiting[readers.count].revents != 0 { writeSome() }
        }
        return true
    }

    /// What came of it.
    func result(status number: CInt) -> ProgramRun.Result {
        ProgramRun.Result(
            status: number, output: output.secret(), isTooLarge: output.isTooLarge,
            statusLines: status.text().split(separator: "\n").map(String.init), complaint: complaint.text())
    }

    private func writeSome() {
        let count = input.withBytes { bytes in
            write(inputPipe.writing, bytes.baseAddress?.advanced(by: written), bytes.count - written)
        }
        if count > 0 { written += count }
        // A program that reads no more has its reasons.
        if written == input.count || (count < 0 && errno != EAGAIN && errno != EINTR) { inputPipe.closeWriting() }
    }
}
