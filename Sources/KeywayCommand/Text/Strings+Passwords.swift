import AutoFillWire
import PasswordsProtocol

/// What the commands of the vault say.
extension Strings {
    // MARK: The vault

    static let masterPassword = "Master password"
    static let oldMasterPassword = "Old master password"
    static let newMasterPassword = "New master password"
    static let emptyMasterPassword = "The master password can't be empty."
    static func attemptWaits(_ seconds: Double) -> String {
        "Too many wrong master passwords. Keyway checks this one in \(Int(seconds.rounded(.up))) s."
    }
    static let masterPasswordChanged =
        "The master password is changed, and the vault has a new key. Older copies still open with the old password."
    static let keyRenewed = "The vault has a new key. The master password is the same."
    static let renewing = "Encrypting the vault with a new key"
    static func renewed(_ done: Int, of total: Int) -> String {
        "\(done) of \(total) items. If you cancel, the vault stays as it was."
    }
    static let passwordsDisabled = "The Passwords provider is turned off."
    static func enable(_ identifier: String) -> String { "Turn it on: `keyway providers enable \(identifier)`." }
    static let noVault = "There is no vault yet."
    static let makeVault = "Create one: `keyway passwords init`."
    static let vaultLocked = "The vault is locked."
    static let vaultLockedInBackground =
        "The vault is locked for commands in the background of this terminal, even though you unlocked it here."
    static let bringToForeground = "Bring the command to the foreground with `fg`, or run it again without `&`."
    static let unlockVault = "Unlock it: `keyway passwords unlock`."
    static let vaultIsLocked = "The vault is locked."
    static let vaultEmpty = "The vault is empty. Add an item: `keyway passwords add`."
    static func vaultExists(_ path: String) -> String { "You already have a vault: \(path)." }
    static func vaultMade(_ path: String) -> String { "Created the vault and unlocked it for this terminal: \(path)." }
    static func vaultAtLocked(_ path: String) -> String { "\(path), locked" }
    static func vaultOpen(_ status: VaultStatus.Result) -> String {
        let items = status.items.map { "items: \($0); " } ?? ""
        return
            "The vault is unlocked for this terminal; \(items)it locks after \(duration(Double(status.idleLimit))) without use"
            + (status.isIdleLimitForced == true ? ", as the administrator set." : ".")
    }

    // MARK: Backups

    static let masterPasswordOfBackup = "Master password of the backup"
    static func backedUp(_ copy: BackUpVault.Result, _ path: String) -> String {
        let checked =
            copy.isEveryItemChecked
            ? "Keyway opened every item in it."
            : "Keyway checked its structure only, because the vault is locked. To check every item, unlock the vault "
                + "and make another one."
        return "Saved \(items(copy.items)) in \(path). \(checked)"
    }
    static func items(_ count: Int) -> String { count == 1 ? "1 item" : "\(count) items" }
    static func readBackDiffers(_ path: String) -> String {
        "The disk gave back something else than Keyway wrote, so \(path) wasn't made."
    }
    static let otherDisk = "Use another disk."
    static func cannotRead(_ path: String, _ why: String) -> String { "Couldn't read \(path): \(why)." }
    static func noBackup(_ path: String) -> String { "\(path) isn't a backup." }
    static let replaceVault =
        "To restore the backup in its place and keep that vault under another name, add --replace."
    static func confirmRestoring(_ found: CheckBackup.Result, replaces: Bool) -> String {
        let age =
            found.isOlder
            ? "The backup is older than the vault as you last used it here: it has \(items(found.items)), and what "
                + "changed since is missing. "
            : "The backup has \(items(found.items)). "
        return age
            + (replaces ? "Make it your vault, and keep the present one under another name?" : "Make it your vault?")
    }
    static let nothingRestored = "Nothing was restored."
    static func restoredBackup(_ count: Int) -> String {
        "Restored \(items(count)). The vault is unlocked for this terminal. Its master password is that of the backup."
    }
    static func formerVault(_ path: String) -> String {
        "The vault that was there is now \(path). Delete it when you no longer need it."
    }
    static let noBackupMade = "There is no backup of the vault."
    static let makeBackup = "keyway passwords backup PATH"
    static func backupMade(_ note: BackupNote) -> String {
        let checked = note.isEveryItemChecked ? "every item checked" : "only its structure checked"
        return "The last backup of the vault was made on \(CalendarTime.local(note.time)), \(checked)."
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
    static func sectionNumber(_ number: Int) -> String { "Section \(number)" }
    static func section(_ section: SectionSummary) -> String {
        let kind = SectionWords.kind(section.type) ?? DisplayText.line(section.type)
        let size = section.size.map { " (\(SectionWords.size($0)))" } ?? ""
        let named = (section.title.map { "\(kind) “\(DisplayText.line($0))”" } ?? kind) + size
        return section.isReadable ? named : "\(named), written by a newer version of Keyway"
    }
    static let bytesValue = "(not text; not shown)"
    static func member(_ member: ShowSection.Member, of type: String) -> String {
        DisplayText.line(SectionWords.member(member.name, of: type, label: member.label))
    }
    /// The label of what stands in a section, below its heading.
    static func memberRow(_ label: String) -> String { "  \(label)" }
    static func moreMembers(_ count: Int) -> String { "… and \(count) more" }
    static func membersAre(_ names: [String]) -> String {
        "Fields of the section: \(names.map(DisplayText.line).joined(separator: ", "))."
    }
    static func until(_ date: String) -> String { "Until \(date)" }
    static func row(_ label: String, _ value: String) -> String { rowStart(label) + value + "\n" }
    static func rowStart(_ label: String) -> String {
        let name = label + ":"
        return name + String(repeating: " ", count: max(1, 12 - name.count))
    }
    static func added(_ title: String) -> String { "Added “\(title)”." }
    static func changed(_ title: String) -> String { "Changed “\(title)”." }
    static func removed(_ title: String) -> String { "Removed “\(title)”." }
    static func addressUnusable(_ address: String) -> String {
        "“\(DisplayText.line(address))” isn't a web address or a domain name, so Keyway won't suggest the item anywhere for it."
    }
    static let customTakesName = "--custom takes only the name of a field. The command asks for its value."
    static let customValueWasSeen =
        "If you typed a secret after the “=”, change that secret: other programs on this computer could read it."
    static let use = "Offered"
    static func offered(_ use: ItemUse) -> String {
        switch use {
        case .everywhere: "everywhere"
        case .forms: "only in forms"
        case .basic: "only for HTTP's own sign-in (Basic, Digest)"
        }
    }
    static let changePage = "Change at"
    static func changeAt(_ address: String, isKnown: Bool) -> String {
        isKnown ? address : "\(address) (if the site has that page)"
    }
    static let passkeyOf = "Passkey"
    static let credential = "Credential"
    static let hiddenSince = "Hidden"
    static let formerUser = "Old name"
    static func renamedBySite(_ former: String) -> String {
        former.isEmpty ? "no name, until the site gave it one" : "\(former), until the site renamed it"
    }
    static let noPasskeys =
        "There are no passkeys. You create one on a site, in your account settings or when you sign in."
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
        return "Remove the passkey\(whose) for \(site)? You can no longer sign in with it, and you can't undo this."
    }
    static let nothingRemoved = "Nothing was removed."
    static func confirmRemoval(_ title: String, user: String) -> String {
        user.isEmpty ? "Remove “\(title)”?" : "Remove “\(title)” of \(user)?"
    }
    static let confirmByOption = "To skip this question, use --yes."
    static let nothingToChange = "Nothing to change."
    static let titleMissing = "The item needs a title."
    static let historyNeedsReveal = "--history shows passwords, so it needs --reveal."
    static func noSuchField(_ field: String, _ title: String) -> String { "“\(title)” has no field “\(field)”." }
    static func fieldsAre(_ names: [String]) -> String {
        "Fields: \((["title", "user", "password", "address", "notes", "tags"] + names).joined(separator: ", "))."
    }
    static let nameAccount = "Choose one with --account USER."
    static func nothingMatches(_ words: String) -> String { "Nothing matches “\(words)”." }
}
