import AutoFillProtocol
import KeywayCrypto
import PasswordsProtocol
import QRWriting

/// `keyway passwords show --code-qr` and `keyway code --qr`: what moves a one-time code to a phone.
struct CodeQRCommand {
    let context: CommandContext

    func run() async throws {
        guard !["--field", "--reveal", "--history"].contains(where: context.invocation.has) else {
            throw CommandError(.usage, Strings.qrIsAlone, hint: Strings.seeHelp(context.invocation.path))
        }
        let name = ItemName(
            context.invocation.argument("ITEM") ?? "", user: context.invocation.value("--account"),
            kind: context.invocation.has("--passkey") ? .passkey : nil)
        try await run(name, section: context.invocation.number("--section"), CodeQROutput(context))
    }

    /// Shows the code of an item, or writes it to a file.
    func run(_ name: ItemName, section: Int?, _ output: CodeQROutput) async throws {
        let answer = try await VaultDoor(context: context).openUnlocked { service in
            try await service.call(ShowCodeLink.self, .init(item: name, section: section))
        }
        let link = try SecretBytes(answer.link)
        if let path = output.path {
            guard let picture = QRCode(link)?.png else { throw CommandError(.failure, Strings.codeTooLong) }
            try PrivateFile.write(picture, to: path, replaces: output.replaces)
            try context.print(.object([("file", .string(path))]), text: "")
            return try context.say(Strings.whatTheQRCodeIs(answer.item.title))
        }
        if context.wantsJSON { return try context.print(.object([("link", .secret(link))]), text: "") }
        guard let code = QRCode(link) else { throw CommandError(.failure, Strings.codeTooLong) }
        let buffer = SecretBuffer(capacity: 1 << 16)
        code.draw { buffer.append(utf8Of: $0) }
        try context.surroundings.output.write(buffer)
        try context.say(Strings.whatTheQRCodeIs(answer.item.title))
    }
}

/// Where a QR code goes: a file, or the terminal.
struct CodeQROutput {
    /// The file; nil for the terminal.
    let path: String?
    /// Whether it may take the place of another file.
    let replaces: Bool

    /// What `--output` and `--force` say. A file that is there is noticed before anything is asked.
    init(_ context: CommandContext) throws(CommandError) {
        path = context.invocation.value("--output")
        replaces = context.invocation.has("--force")
        guard let path else {
            guard !replaces else {
                throw CommandError(.usage, Strings.forceNeedsOutput, hint: Strings.seeHelp(context.invocation.path))
            }
            return
        }
        try PrivateFile.check(path, replaces: replaces)
    }
}
