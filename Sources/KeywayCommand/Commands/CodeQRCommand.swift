import AutoFillProtocol
import KeywayCrypto
import PasswordsProtocol
import QRWriting

/// `keyway passwords show --code-qr`: what moves a one-time code to a phone.
struct CodeQRCommand {
    let context: CommandContext

    func run() async throws {
        guard !["--field", "--reveal", "--history"].contains(where: context.invocation.has) else {
            throw CommandError(.usage, Strings.qrIsAlone, hint: Strings.seeHelp(context.invocation.path))
        }
        let name = ItemName(
            context.invocation.argument("ITEM") ?? "", user: context.invocation.value("--account"),
            kind: context.invocation.has("--passkey") ? .passkey : nil)
        let answer = try await VaultDoor(context: context).openUnlocked { service in
            try await service.call(ShowCodeLink.self, .init(item: name))
        }
        let link = try SecretBytes(answer.link)
        if context.wantsJSON { return try context.print(.object([("link", .secret(link))]), text: "") }
        guard let code = QRCode(link) else { throw CommandError(.failure, Strings.codeTooLong) }
        let buffer = SecretBuffer(capacity: 1 << 16)
        code.draw { buffer.append(utf8Of: $0) }
        try context.surroundings.output.write(buffer)
        try context.say(Strings.whatTheQRCodeIs(answer.item.title))
    }
}
