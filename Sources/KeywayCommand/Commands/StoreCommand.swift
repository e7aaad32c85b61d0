import AutoFillProtocol
import AutoFillWire
import KeywayCrypto
import KeywaySystem
import PasswordsProtocol

/// `keyway passwords add`, `edit` and `remove`.
struct StoreCommand {
    let context: CommandContext

    private var invocation: Invocation { context.invocation }

    func add() async throws {
        try checkCustomNames()
        let link = try await codeInPicture()
        try await VaultDoor(context: context).openUnlocked { service in
            var item = invocation.argument("TITLE") == nil ? try await askForEverything() : try await newItem(service)
            try addCode(link, to: &item)
            let stored = try await service.call(AddItem.self, .init(item: item))
            try report(stored, Strings.added(stored.item.title))
        }
    }

    func edit() async throws {
        try checkCustomNames()
        guard !(invocation.has("--code") && invocation.has("--add-code")) else {
            throw CommandError(.usage, Strings.oneNewCode, hint: Strings.seeHelp(invocation.path))
        }
        let link = try await codeInPicture()
        var change = ItemChange()
        change.title = invocation.value("--title")
        change.user = invocation.value("--user")
        if invocation.has("--address") { change.addresses = invocation.values("--address") }
        if invocation.has("--tag") { change.tags = invocation.values("--tag") }
        change.use = use
        let removed = invocation.values("--remove-section").compactMap { Int($0) }
        if !removed.isEmpty { change.removedSections = removed }
        let asks = ["--password", "--generate", "--notes", "--custom", "--code", "--add-code", "--code-image"]
            .contains(
                where: invocation.has)
        guard
            asks || invocation.has("--title") || !removed.isEmpty || change.user != nil || change.addresses != nil
                || change.tags != nil || change.use != nil
        else { throw CommandError(.usage, Strings.nothingToChange, hint: Strings.seeHelp(invocation.path)) }
        let prepared = change
        try await VaultDoor(context: context).openUnlocked { service in
            // Asked first whether it is there: nobody types a password for an item that does not exist.
            let before = try await service.call(ShowItem.self, .init(item: name, parts: customParts))
            var change = prepared
            if invocation.has("--password") || invocation.has("--generate") {
                change.password = try await password(service)
            }
            try askForTheRest(&change, before: before.fields)
            try addCode(link, to: &change)
            let stored = try await service.call(EditItem.self, .init(item: ItemName(before.summary.id), change: change))
            try report(stored, Strings.changed(stored.item.title), tellsAddresses: change.addresses != nil)
        }
    }

    func remove() async throws {
        try await VaultDoor(context: context).openUnlocked { service in
            let item = try await service.call(ShowItem.self, .init(item: name)).summary
            if !invocation.has("--yes") {
                let isSure = try context.questions.confirm(
                    item.passkey.map { Strings.confirmRemoval(ofPasskeyAt: $0.relyingParty, user: item.user) }
                        ?? Strings.confirmRemoval(item.title, user: item.user), elseHint: Strings.confirmByOption)
                guard isSure else { throw CommandError(.cancelled, Strings.nothingRemoved) }
            }
            let removed = try await service.call(RemoveItem.self, .init(item: ItemName(item.id)))
            try report(removed, Strings.removed(removed.item.title), tellsAddresses: false)
        }
    }

    func restore() async throws {
        try await VaultDoor(context: context).openUnlocked { service in
            let restored = try await service.call(RestoreItem.self, .init(item: name))
            try report(restored, Strings.restored(restored.item.title, user: restored.item.user), tellsAddresses: false)
        }
    }

    private var name: ItemName {
        ItemName(
            invocation.argument("ITEM") ?? "", user: invocation.value("--account"),
            kind: invocation.has("--passkey") ? .passkey : nil)
    }

    // MARK: What an item is made of

    private func newItem(_ service: Connection) async throws -> ItemChange {
        var item = ItemChange()
        item.title = invocation.argument("TITLE")
        item.user = invocation.value("--user")
        item.addresses = invocation.values("--address")
        item.tags = invocation.values("--tag")
        item.use = use
        item.password = try await password(service)
        try askForTheRest(&item, before: [])
        return item
    }

    private var use: ItemUse? { invocation.value("--use").flatMap { ItemUse(rawValue: $0) } }

    private func password(_ service: Connection) async throws -> Attachment? {
        guard invocation.has("--generate") else {
            let password = try context.questions.newSecret(Strings.password, confirmsInput: false)
            return password.isEmpty ? nil : try password.attached()
        }
        let length = invocation.number("--generate") ?? GenerateCommand.length
        return try await service.call(GeneratePassword.self, .init(length: length)).password
    }

    private var customParts: Set<ShowItem.Part> { invocation.has("--custom") ? [.fields] : [] }

    /// Asks for custom fields and notes. The vault takes all fields of an item at once, so those there are go along.
    private func askForTheRest(_ change: inout ItemChange, before: [CustomField]) throws {
        if invocation.has("--custom") {
            let names = invocation.values("--custom")
            let asked = try names.map { name in
                CustomField(name: name, isHidden: true, value: try context.questions.secret(name).attached())
            }
            change.fields = before.filter { !names.contains($0.name) } + asked
        }
        if invocation.has("--notes") { change.notes = try context.questions.secret(Strings.notes).attached() }
    }

    /// The link in the picture that `--code-image` names; read before anything is asked or stored.
    private func codeInPicture() async throws -> SecretBytes? {
        guard let path = invocation.value("--code-image") else { return nil }
        guard !invocation.has("--code") else {
            throw CommandError(.usage, Strings.codeOrPicture, hint: Strings.seeHelp(invocation.path))
        }
        return try await PictureLinks(program: KeywayPaths.ownProgram() ?? "").link(in: path)
    }

    private func addCode(_ link: SecretBytes?, to change: inout ItemChange) throws {
        if let link { change.code = try link.attached() }
        if invocation.has("--code") || invocation.has("--add-code") && link == nil {
            change.code = try context.questions.secret(Strings.codeLink).attached()
        }
        if invocation.has("--add-code") { change.addsCode = true }
    }

    /// `add` without a title: everything on one form.
    private func askForEverything() async throws -> ItemChange {
        guard context.questions.areTyped else {
            throw CommandError(.usage, Strings.titleMissing, hint: Strings.seeHelp(invocation.path))
        }
        let form = InterfaceForm(
            title: Strings.newItem,
            fields: [
                .init(id: "title", label: Strings.title, kind: .text(initial: "")),
                .init(id: "address", label: Strings.address, kind: .text(initial: "")),
                .init(id: "user", label: Strings.userName, kind: .text(initial: "")),
                .init(id: "password", label: Strings.password, kind: .secure),
            ], submitTitle: Strings.store)
        let event = try await context.questions.answer(to: .form(form), service: nil)
        guard case .submitted(let values) = event else { throw CommandError(.cancelled, Strings.cancelled) }
        func text(_ id: String) -> String { if case .text(let text)? = values[id] { text } else { "" } }
        var item = ItemChange()
        item.title = text("title").isEmpty ? text("address") : text("title")
        guard item.title?.isEmpty == false else { throw CommandError(.usage, Strings.titleMissing) }
        item.user = text("user")
        item.addresses = [text("address")].filter { !$0.isEmpty }
        if case .secret(let secret)? = values["password"], secret.count > 0 {
            item.password = Attachment(secret.sealedMemory)
        }
        return item
    }

    /// `--custom pin=1234` would store a field of that name, with the secret in it for everyone to see.
    private func checkCustomNames() throws(CommandError) {
        guard invocation.values("--custom").contains(where: { $0.contains("=") }) else { return }
        throw CommandError(.usage, Strings.customTakesName, hint: Strings.customValueWasSeen)
    }

    private func report(
        _ result: AddItem.Result, _ message: String, tellsAddresses: Bool = true
    ) throws(CommandError) {
        for address in tellsAddresses ? result.unusableAddresses : [] {
            try context.say(Strings.addressUnusable(address))
        }
        guard context.wantsJSON else { return try context.say(message) }
        try context.print(.object([("item", SearchCommand.json(result.item))]), text: "")
    }
}
