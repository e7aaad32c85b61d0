package import KeywayCrypto

/// What a site hands out for one-time codes, read: whose they are, and how they are made.
package struct CodeSetup: Sendable, Equatable {
    /// The most bytes of a name.
    package static let longestName = 512

    /// Who asks for the codes, as the link says; Apple's links say the site's domain here. Empty where it says none.
    package let issuer: String
    /// Who asks for the codes, as it stands before the account's name; empty where nothing does.
    package let labelIssuer: String
    /// The name of the account; empty where there is none.
    package let account: String
    /// How the codes are made.
    package let recipe: CodeRecipe

    /// A set-up by its parts.
    ///
    /// - Throws: ``OneTimeCodeError``: `tooLong` for a name over ``longestName``.
    package init(
        issuer: String = "", labelIssuer: String? = nil, account: String = "", recipe: CodeRecipe
    ) throws(OneTimeCodeError) {
        for name in [issuer, labelIssuer ?? "", account] where name.utf8.count > Self.longestName {
            throw OneTimeCodeError(.tooLong, "name")
        }
        self.issuer = issuer
        self.labelIssuer = labelIssuer ?? issuer
        self.account = account
        self.recipe = recipe
    }

    /// What a person gives for codes: a link of any kind, or the bare secret in Base32, for codes as they are usual.
    ///
    /// - Returns: one set-up, or those of a migration link.
    /// - Throws: ``OneTimeCodeError``.
    package static func read(_ text: SecretBytes) throws(OneTimeCodeError) -> [CodeSetup] {
        try text.withUnsafeBytes { (bytes) throws(OneTimeCodeError) in
            let text = LinkText.trimmed(bytes)
            if LinkText(text, scheme: MigrationLink.scheme) != nil { return try MigrationLink(text).setups }
            if text.contains(UInt8(ascii: ":")) { return [try CodeLink.setup(in: text)] }
            let recipe = try CodeRecipe(.time(period: CodeRecipe.usualPeriod), secret: Base32.secret(in: text))
            return [try CodeSetup(recipe: recipe)]
        }
    }
}
