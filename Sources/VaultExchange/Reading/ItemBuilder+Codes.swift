import CodeLinks
import CredentialExchange
import KeywayCrypto
import SecretDocuments
import Vault

extension ItemBuilder {
    private static let algorithms: [String: CodeAlgorithm] = [
        "": .sha1, "sha1": .sha1, "sha-1": .sha1, "sha256": .sha256, "sha-256": .sha256, "sha512": .sha512,
        "sha-512": .sha512, "steam": .sha1,
    ]

    /// A one-time code. What makes none is kept as it is.
    mutating func takeCode(_ credential: ExchangeCredential) {
        let object = credential.object
        let name = object.publicText("algorithm").lowercased()
        guard let text = object.text("secret"), let algorithm = Self.algorithms[name] else {
            keepUnread(credential, "has a hash that Keyway doesn't know")
            return
        }
        do {
            let secret = try text.withUnsafeBytes { (bytes) throws(OneTimeCodeError) in try Base32.secret(in: bytes) }
            let period = object["period"]?.integer ?? Int64(CodeRecipe.usualPeriod)
            let digits = object["digits"]?.integer ?? Int64(CodeRecipe.usualDigits)
            let recipe = try CodeRecipe(
                name == "steam" ? .steam : .time(period: UInt32(clamping: period)), secret: secret,
                algorithm: algorithm, digits: name == "steam" ? CodeRecipe.steamDigits : Int(clamping: digits))
            let setup = try CodeSetup(
                issuer: object.publicText("issuer"), account: object.publicText("username"), recipe: recipe)
            var section = StoredCode(setup.recipe, issuer: setup.issuer, account: setup.account).section
            let others = object.without(["type", "secret", "period", "digits", "algorithm", "username", "issuer"])
            section.members += others.members.compactMap { SectionMember($0) }
            draft.sections.append(section)
        } catch {
            keepUnread(credential, "makes no codes. \(error.words)")
        }
    }

    /// Codes that the format has no type for: fields of a credential of their own, each a link.
    ///
    /// - Returns: false where it is no such credential.
    mutating func takeCodes(inFieldsOf credential: ExchangeCredential) -> Bool {
        guard credential.text("label") == CodesForm.label, let elements = credential.object["fields"]?.elements,
            !elements.isEmpty
        else { return false }
        var sections: [ItemSection] = []
        for element in elements {
            guard let text = element.object.map(ExchangeField.init)?.value,
                let setups = try? CodeSetup.read(text.secret)
            else { return false }
            for setup in setups {
                sections.append(
                    StoredCode(setup.recipe, issuer: setup.issuer, account: setup.account).section)
            }
        }
        draft.sections += sections
        return true
    }
}

extension ExchangeCredential {
    /// Text that is no secret.
    func text(_ name: String) -> String? { object[name]?.publicText }
}
