import AutoFillWire
import PasswordsProtocol

/// What the commands of the vault say.
extension Strings {
    // MARK: The vault

    static let masterPassword = "Master password"
    static let oldMasterPassword = "Old master password"
    static let newMasterPassword = "New master password"
    static let emptyMasterPassword = "The master password must not be empty."
    static let masterPasswordIsShort =
        "This master password is short: whoever gets the vault file can try all of that length. Four random words are "
        + "safer; `keyway passwords change-master` changes it."
    static func attemptWaits(_ seconds: Double) -> String {
        "After the wrong master passwords before, this attempt waits \(Int(seconds.rounded(.up))) s."
    }
    static let masterPasswordChanged =
        "The master password is changed, and the vault has a new key. Copies made before still open with the old password."
    static let keyRenewed = "The vault has a new key. The master password is the same."
    static let renewing = "Sealing the vault under a new key"
    static func renewed(_ done: Int, of total: Int) -> String {
        "\(done) of \(total) items. If you cancel, the vault stays as it was."
    }
    static let passwordsDisabled = "The provider that keeps the vault is not enabled."
    static func enable(_ identifier: String) -> String { "Turn it on: `keyway providers enable \(identifier)`." }
    static let noVault = "There is no vault yet."
    static let makeVault = "Make one: `keyway passwords init`."
    static let vaultLocked = "The vault is locked."
    static let vaultLockedInBackground =
        "keyway runs in the background of this terminal, where the vault stays locked although you unlocked it here."
    static let bringToForeground = "Bring it to the foreground: `fg`. Or run it again without `&`."
    static let unlockVault = "Unlock it: `keyway passwords unlock`."
    static let vaultIsLocked = "The vault is locked."
    static let vaultEmpty = "The vault is empty. Store something: `keyway passwords add`."
    static func vaultExists(_ path: String) -> String { "There is a vault already: \(path)." }
    static func vaultMade(_ path: String) -> String { "The vault is made, and open to this terminal: \(path)." }
    static func vaultAtLocked(_ path: String) -> String { "\(path), locked" }
    static func vaultOpen(_ status: VaultStatus.Result) -> String {
        let items = status.items.map { "items: \($0); " } ?? ""
        return
            "The vault is open to this terminal; \(items)locks after \(duration(Double(status.idleLimit))) without use."
    }

    // MARK: Items

    static let newItem = "New item"
    static let store = "store"
    static let title = "Title"
    static let userName = "User name"
    static let password = "Password"
    static let address = "Address"
    static let tags = "Tags"
    static let notes = "Notes"
    static let created = "Created"
    static let modified = "Changed"
    static let identifier = "Identifier"
    static let hiddenValue = "(hidden; --reveal shows it)"
    static func until(_ date: String) -> String { "Until \(date)" }
    static func row(_ label: String, _ value: String) -> String { rowStart(label) + value + "\n" }
    static func rowStart(_ label: String) -> String {
        let name = label + ":"
        return name + String(repeating: " ", count: max(1, 12 - name.count))
    }
    static func added(_ title: String) -> String { "“\(title)” is stored." }
    static func changed(_ title: String) -> String { "“\(title)” is changed." }
    static func removed(_ title: String) -> String { "“\(title)” is removed." }
    static func addressUnusable(_ address: String) -> String {
        "“\(DisplayText.line(address))” is neither a web address nor a domain name: nothing will be suggested for it."
    }
    static let customTakesName = "--custom takes the name of a field alone, and asks for its value."
    static let customValueWasSeen =
        "If a secret was typed after the “=”, change it: other programs of this machine could read it."
    static let passkeyOf = "Passkey of"
    static let credential = "Credential"
    static let hiddenSince = "Hidden"
    static let formerUser = "Before"
    static func renamedBySite(_ former: String) -> String {
        former.isEmpty ? "no name, until its site gave it one" : "\(former), until its site renamed it"
    }
    static let noPasskeys = "There are no passkeys: sites make them."
    static func marks(_ item: ItemSummary) -> String {
        let marks = [
            item.passkey == nil ? nil : "passkey", item.hidden == nil ? nil : "hidden",
            item.formerUser == nil ? nil : "renamed",
        ]
        return marks.compactMap { $0 }.joined(separator: ", ")
    }
    static func restored(_ title: String, user: String) -> String {
        user.isEmpty ? "“\(title)” is offered again." : "“\(title)” is offered again, as “\(user)”."
    }
    static func confirmRemoval(ofPasskeyAt site: String, user: String) -> String {
        let whose = user.isEmpty ? "" : " of \(user)"
        return "Remove the passkey\(whose) at \(site)? You cannot sign in with it any more, and nothing brings it back."
    }
    static let nothingRemoved = "Nothing was removed."
    static func confirmRemoval(_ title: String, user: String) -> String {
        user.isEmpty ? "Remove “\(title)”?" : "Remove “\(title)” of \(user)?"
    }
    static let confirmByOption = "Give --yes to remove it without being asked."
    static let nothingToChange = "Nothing is to be changed."
    static let titleMissing = "A title is missing."
    static let historyNeedsReveal = "--history shows passwords, and needs --reveal."
    static func noSuchField(_ field: String, _ title: String) -> String { "“\(title)” has no field “\(field)”." }
    static func fieldsAre(_ names: [String]) -> String {
        "Fields: \((["title", "user", "password", "address", "notes", "tags"] + names).joined(separator: ", "))."
    }
    static let nameAccount = "--account USER names the user."
    static func nothingMatches(_ words: String) -> String { "Nothing matches “\(words)”." }
}
