import AutoFillWire
import KeywaySystem
import PasswordsProtocol
import Vault

extension SectionSummary {
    /// What a client sees of a section without opening it.
    init(_ head: SectionHead) {
        // Of each type the first member that tells it from others.
        let title = ["issuer", "label", "name", "rpId", "ssid", "cardType", "url", "keyComment", "username"].lazy
            .compactMap { head.text($0) }.first { !$0.isEmpty }
        self.init(
            number: Int(head.number), type: head.type.rawValue, isReadable: head.isReadable,
            title: title.map { String($0.prefix(ItemBounds.titleCharacters)) })
    }
}

extension ShowSection.Member {
    /// What a client sees of a member. Bytes have no value: a passkey's key does not leave this process.
    init(_ member: SectionMember, opens: Bool) throws(ProtocolError) {
        self.init(
            name: member.name, label: member.label, isHidden: !member.kind.isText || member.kind == .concealed,
            isText: member.kind.isText,
            value: opens && member.kind.isText ? try Attachment(member.value) : nil)
    }
}
