import AutoFillWire
import CredentialExchange
import KeywayCrypto
import KeywaySystem
import PasswordsProtocol
import SecretDocuments
import Vault

extension SectionSummary {
    /// What a client sees of a section without opening it.
    init(_ head: SectionHead) {
        // Of each type the first member that tells it from others.
        let title = ["issuer", "label", "name", "rpId", "ssid", "cardType", "url", "keyComment", "username"].lazy
            .compactMap { head.text($0) }.first { !$0.isEmpty }
        self.init(
            number: Int(head.number), type: head.type.rawValue, isReadable: head.isReadable,
            title: title.map { String($0.prefix(ItemBounds.titleCharacters)) }, size: FileHead(head)?.size)
    }
}

extension ShowSection.Member {
    /// What a client sees of a member. Bytes have no value, a passkey's key does not leave this process; but for keys of
    /// SSH, which people use in files.
    init(_ member: SectionMember, of type: SectionType, opens: Bool) throws(ProtocolError) {
        let isText = member.isShownText(of: type)
        self.init(
            name: member.name, label: member.label, isHidden: !isText || member.isConcealed(of: type), isText: isText,
            value: opens && isText ? try Attachment(member.shownText(of: type)) : nil)
    }
}

extension SectionMember {
    private func isSSHKey(of type: SectionType) -> Bool {
        type == .sshKey && name == "privateKey" && kind == .bytes
    }

    /// Whether a person can be shown it as text.
    fileprivate func isShownText(of type: SectionType) -> Bool {
        kind.isText || kind == .integer || isSSHKey(of: type)
            || kind == .json && type != .passkey && !SectionWords.isForPrograms(type.rawValue)
    }

    /// Whether it is hidden where it is shown: what CXF conceals, however it was written, and what nobody knows.
    fileprivate func isConcealed(of type: SectionType) -> Bool {
        guard SectionType.known.contains(type) else { return name != "label" }
        if kind == .integer { return false }
        if kind == .json { return true }
        if kind == .concealed || isSSHKey(of: type) { return true }
        if type == .generatedPassword, name == "password" { return true }
        let form = ExchangeSchema.members[ExchangeCredentialType(rawValue: type.rawValue)]?[name]?.form
        return form == .field(.concealed)
    }

    /// It as text.
    fileprivate func shownText(of type: SectionType) -> SecretBytes {
        if kind == .integer { return SecretBytes(copyingUTF8Of: integer.map { String($0) } ?? "") }
        return isSSHKey(of: type) ? pem : value
    }

    private var integer: UInt64? {
        value.withUnsafeBytes {
            $0.count == 8 ? UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) : nil
        }
    }

    /// A key in PKCS #8 as it stands in files (RFC 7468), which ssh reads.
    private var pem: SecretBytes {
        let (base64, buffer) = (value.base64, SecretBuffer(capacity: 4096))
        buffer.append(utf8Of: "-----BEGIN PRIVATE KEY-----\n")
        base64.withUnsafeBytes { bytes in
            for start in stride(from: 0, to: bytes.count, by: 64) {
                let line = bytes[start..<min(start + 64, bytes.count)]
                buffer.append(UnsafeRawBufferPointer(rebasing: line))
                buffer.append(utf8Of: "\n")
            }
        }
        buffer.append(utf8Of: "-----END PRIVATE KEY-----")
        return buffer.finish()
    }
}
