import AutoFillProtocol
import AutoFillWire
import KeywayCrypto
import KeywaySystem
import TerminalInterface

/// What every command works with.
struct CommandContext: Sendable {
    /// What was typed.
    let invocation: Invocation
    /// What can be reached.
    let surroundings: Surroundings
    /// What the broker has to tell.
    let notices: Notices
    /// Where the broker's questions to the person stand.
    let person: KeywayQuestions

    init(invocation: Invocation, surroundings: Surroundings) {
        self.invocation = invocation
        self.surroundings = surroundings
        notices = Notices(surroundings.messages)
        person = KeywayQuestions(surroundings)
    }

    var questions: Questions { Questions(surroundings) }
    var wantsJSON: Bool { invocation.has(CommandTable.json.name) }

    /// Prints data: a JSON object where that is wanted, else text.
    func print(_ value: @autoclosure () -> JSONValue, text: @autoclosure () -> String) throws(CommandError) {
        guard wantsJSON else { return try surroundings.output.write(text()) }
        let buffer = SecretBuffer(capacity: 4096)
        value().write(to: buffer)
        try surroundings.output.write(buffer)
    }

    /// Prints a secret and a line break.
    func print(_ secret: SecretBytes) throws(CommandError) {
        let buffer = SecretBuffer(capacity: secret.count + 1)
        buffer.append(secret)
        buffer.append(UInt8(ascii: "\n"))
        try surroundings.output.write(buffer)
    }

    /// Says something that is no data.
    func say(_ message: String) throws(CommandError) {
        try surroundings.messages.write(Strings.line(DisplayText.paragraph(message)))
    }

    /// A connection to the broker.
    func connect(methods: MethodTable = MethodTable(), starts: Bool = true) async throws -> Connection {
        var methods = methods
        methods.on(BrokerNotice.self) { notice, _ in notices.add(notice.text) }
        person.addMethods(to: &methods)
        return try await surroundings.connect(methods, starts)
    }
}

extension SecretBytes {
    /// What a memory file holds.
    convenience init(_ memory: SealedMemory) throws(ProtocolError) {
        try self.init(count: memory.count) { (room) throws(ProtocolError) in try memory.read(into: room) }
    }

    /// What a message carries beside its frame.
    convenience init(_ attachment: Attachment) throws(ProtocolError) {
        try self.init(attachment.sealedMemory())
    }

    /// The secret as a memory file, to be sent.
    func attached() throws(ProtocolError) -> Attachment {
        Attachment(try withUnsafeBytes { (bytes) throws(ProtocolError) in try SealedMemory(copying: bytes) })
    }
}
