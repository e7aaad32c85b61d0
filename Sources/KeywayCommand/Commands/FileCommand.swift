import AutoFillWire
import Glibc
import KeywayCrypto
import KeywaySystem
import PasswordsProtocol

/// `keyway passwords attach`, `save-file` and `remove-file`.
struct FileCommand {
    let context: CommandContext

    private var path: String { context.invocation.argument("PATH") ?? "" }
    private var file: String { context.invocation.argument("FILE") ?? "" }
    private var name: ItemName {
        ItemName(
            context.invocation.argument("ITEM") ?? "", user: context.invocation.value("--account"),
            kind: context.invocation.has("--passkey") ? .passkey : nil)
    }

    func attach() async throws {
        let content = try contentOfFile()
        let called = context.invocation.value("--name") ?? String(path.split(separator: "/").last ?? "")
        try await VaultDoor(context: context).openUnlocked { service in
            let done = try await service.call(
                AttachFile.self, .init(item: name, name: called, content: Attachment(content.descriptor)))
            try report(done.section, of: done.item, Strings.attached(done.section, done.item.title))
        }
    }

    func save() async throws {
        let replaces = context.invocation.has("--force")
        // Before anything is asked.
        try PrivateFile.check(path, replaces: replaces)
        try await VaultDoor(context: context).openUnlocked { service in
            let found = try await service.call(ReadFile.self, .init(item: name, file: file))
            let content = try SealedDocument(received: found.content.descriptor, limit: AttachFile.longest)
            try PrivateFile.copy(content.descriptor, to: path, replaces: replaces)
            try report(found.section, of: found.item, Strings.savedFile(found.section, path))
        }
    }

    func remove() async throws {
        try await VaultDoor(context: context).openUnlocked { service in
            let item = try await service.call(ShowItem.self, .init(item: name)).summary
            let section = try section(of: item)
            if !context.invocation.has("--yes") {
                let isSure = try context.questions.confirm(
                    Strings.confirmRemoval(of: section, item.title), elseHint: Strings.confirmByOption)
                guard isSure else { throw CommandError(.cancelled, Strings.nothingRemoved) }
            }
            var change = ItemChange()
            change.removedSections = [section.number]
            let done = try await service.call(EditItem.self, .init(item: ItemName(item.id), change: change))
            try report(section, of: done.item, Strings.removedFile(section, item.title))
        }
    }

    /// The file that the person named.
    private func section(of item: ItemSummary) throws(CommandError) -> SectionSummary {
        let files = (item.sections ?? []).filter { $0.type == "file" }
        let named = files.filter { $0.title == file }
        guard named.count < 2 else {
            throw CommandError(
                .ambiguous, Strings.severalFiles(file), hint: Strings.filesAre(named, numbered: true))
        }
        guard let section = named.first ?? files.first(where: { "\($0.number)" == file }) else {
            throw CommandError(.notFound, Strings.noSuchFile(file, item.title), hint: Strings.filesAre(files))
        }
        return section
    }

    /// What is in the file, copied into memory that nobody can change any more.
    private func contentOfFile() throws -> SealedDocument {
        // What is no file, such as a pipe, must not keep the command waiting.
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard number >= 0 else {
            let reason = errno
            throw CommandError(
                reason == ENOENT ? .notFound : .failure, Strings.cannotRead(path, SystemCall.describe(reason)))
        }
        let source = OwnedDescriptor(number)
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw CommandError(.refused, Strings.noFileToAttach(path))
        }
        guard status.st_size <= off_t(AttachFile.longest) else {
            throw CommandError(.refused, Strings.fileTooLarge(path, Int(status.st_size)))
        }
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer {
            wipe(room)
            room.deallocate()
        }
        return try SealedDocument(limit: AttachFile.longest) { (write) throws(ProtocolError) in
            var offset = 0
            while true {
                guard let count = WholeTransfer.read(into: room, from: source.rawValue, at: offset) else {
                    throw .system("read", errno)
                }
                try write(UnsafeRawBufferPointer(rebasing: room[..<count]))
                offset += count
                guard count == room.count else { return }
            }
        }
    }

    private func report(_ file: SectionSummary, of item: ItemSummary, _ message: String) throws {
        guard context.wantsJSON else { return try context.say(message) }
        try context.print(
            .object([
                ("item", .string(item.id)), ("section", .integer(file.number)),
                ("name", file.title.map { .string($0) } ?? .null), ("size", .integer(file.size ?? 0)),
            ]), text: "")
    }
}
