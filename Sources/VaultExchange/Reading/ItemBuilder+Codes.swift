import CodeLinks
import CredentialExchange
import KeywayCrypto
import SecretDocuments
import Vault

extension ItemBuilder {
    /// A one-time code, with what its credential says of it beside.
    mutating func takeCode(_ setup: CodeSetup, _ credential: ExchangeCredential) {
        var section = StoredCode(setup.recipe, issuer: setup.issuer, account: setup.account).section
        var others: Set<String> = ["type", "secret", "username", "issuer"]
        // Of Steam's codes these say nothing, and tell that the document had them as a credential.
        if setup.recipe.kind != .steam { others.formUnion(["period", "digits", "algorithm"]) }
        section.members += credential.object.without(others).members.compactMap { SectionMember($0) }
        if !SectionCredential.object(of: section).isSame(as: credential.object.without([])) {
            section.members.append(
                SectionMember(KeptMember.written, .json, JSONBytes.write(.object(credential.object))))
        }
        draft.sections.append(section)
    }

    /// One-time codes that stand in links.
    mutating func takeCodes(_ setups: [CodeSetup]) {
        draft.sections += setups.map { StoredCode($0.recipe, issuer: $0.issuer, account: $0.account).section }
    }
}

extension ExchangeCredential {
    /// Text that is no secret.
    func text(_ name: String) -> String? { object[name]?.publicText }
}
