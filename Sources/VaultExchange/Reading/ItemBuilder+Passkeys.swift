import Authenticator
import CredentialExchange
import KeywayCrypto
import PasskeySignatures
import SecretDocuments
import ServiceMatching
import Vault

/// A passkey that an item may be, as Keyway's own are, if nothing else is in it.
struct WholePasskey {
    /// The passkey.
    let passkey: Passkey
    /// Its user name.
    let userName: String
    /// The section that holds it until that is known.
    let section: ItemSection
}

extension ItemBuilder {
    /// How long the secrets of `prf` are.
    private static let secretCount = 32

    /// A passkey. One that can never sign in at its site, or that is stored already, is left out.
    mutating func takePasskey(_ passkey: ExchangePasskey, _ credential: ExchangeCredential) {
        guard RelyingParty(passkey.relyingParty, suffixes: .system) != nil else {
            refusals.append("A passkey is left out: no site can have passkeys under the name that it is for.")
            return
        }
        guard (try? PrivateKey(passkey.key)) != nil else {
            refusals.append("A passkey is left out: its key can't be read, or is of a kind that Keyway doesn't know.")
            return
        }
        guard !draft.sections.contains(where: { $0["credentialId"]?.array == passkey.credentialID }) else {
            refusals.append("A passkey is left out: the item has it twice.")
            return
        }
        switch holder(passkey.credentialID) {
        case .stored(let item):
            holders.append(item)
            refusals.append("A passkey is left out: it is stored already.")
        case .document: refusals.append("A passkey is left out: another item of the document has it, too.")
        case nil: store(passkey, credential)
        }
    }

    private mutating func store(_ passkey: ExchangePasskey, _ credential: ExchangeCredential) {
        var rest = (credential.object["fido2Extensions"]?.object ?? JSONObject()).without([])
        let secrets = takeSecrets(of: passkey, &rest)
        let blob = takeBlob(of: passkey, &rest)
        let stored = Passkey(
            identifier: passkey.credentialID, relyingParty: passkey.relyingParty, userHandle: passkey.userHandle,
            key: passkey.key, pseudoRandomSecret: secrets.verified, largeBlob: blob)
        var section = ItemSection(stored, userName: passkey.userName, displayName: passkey.userDisplayName)
        if let secret = secrets.unverified { section.members.append(SectionMember("credWithoutUV", .bytes, secret)) }
        if !rest.members.isEmpty {
            section.members.append(SectionMember("fido2Extensions", .json, JSONBytes.write(.object(rest))))
        }
        let others = credential.object.without([
            "type", "credentialId", "rpId", "username", "userDisplayName", "userHandle", "key", "fido2Extensions",
        ])
        section.members += others.members.compactMap { SectionMember($0) }
        if rest.members.isEmpty, others.members.isEmpty, secrets.unverified == nil, passkey.userDisplayName.isEmpty,
            !passkey.userHandle.isEmpty, passkey.userName.count <= limits.userCharacters,
            !passkey.userName.hasControlCharacters
        {
            wholePasskey = WholePasskey(passkey: stored, userName: passkey.userName, section: section)
        }
        draft.sections.append(section)
    }

    /// The secrets of `prf`. What isn't of their form stays in the rest.
    private func takeSecrets(
        of passkey: ExchangePasskey, _ rest: inout JSONObject
    ) -> (verified: SecretBytes?, unverified: SecretBytes?) {
        let name = rest["hmacCredentials"] == nil ? "hmacSecret" : "hmacCredentials"
        guard let object = rest[name]?.object,
            ["", "hmac-sha256"].contains(object.publicText("algorithm").lowercased()),
            object.without(["algorithm", "credWithUV", "credWithoutUV"]).members.isEmpty
        else { return (nil, nil) }
        let secrets = (passkey.secretWithVerification, passkey.secretWithoutVerification)
        guard [secrets.0, secrets.1].allSatisfy({ $0.map { $0.count == Self.secretCount } ?? true }) else {
            return (nil, nil)
        }
        rest[name] = nil
        return secrets
    }

    /// What the site stored with it, unpacked. Where it isn't packed as Keyway does it, the rest keeps that, too.
    private mutating func takeBlob(of passkey: ExchangePasskey, _ rest: inout JSONObject) -> SecretBytes? {
        guard let blob = passkey.largeBlob else { return nil }
        guard let content = Deflate.unpack(blob.data, limit: Passkey.largestBlob), content.count == Int(blob.size)
        else {
            notices.append("What its site stored with a passkey can't be read. It is kept for export.")
            return nil
        }
        if Deflate.pack(content) == blob.data, rest["largeBlob"]?.object?.members.count == 2 { rest["largeBlob"] = nil }
        return content
    }

    /// Makes the item the passkey that is all there is in it.
    mutating func takeWholePasskey() {
        guard let whole = wholePasskey, draft.sections == [whole.section], !hasLogin, draft.notes == nil,
            draft.fields.isEmpty, [[], [whole.passkey.relyingParty]].contains(draft.addresses)
        else { return }
        draft.sections = []
        draft.passkey = whole.passkey
        draft.userName = whole.userName
        draft.addresses = [whole.passkey.relyingParty]
    }
}

extension SecretBytes {
    /// The bytes as an array, which is never wiped: for what is no secret.
    var array: [UInt8] { withUnsafeBytes { Array($0) } }
}
