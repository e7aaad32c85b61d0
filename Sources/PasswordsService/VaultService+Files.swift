import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import PasswordsProtocol
import Vault

/// Files of items: handed out and taken as memory files, and never in memory as a whole on the way.
extension VaultService {
    /// What is in a file of an item.
    ///
    /// - Throws: `notFound`; `ambiguous` for a name that several files have; `damaged`, `locked`, `system`.
    func read(
        _ parameters: ReadFile.Parameters, for client: ServiceClient, _ gate: HandoutGate
    ) async throws(ProtocolError) -> ReadFile.Result {
        let item = try await item(parameters.item, for: client, gate)
        try await gate.secrets(of: item)
        // It may have been locked while the person was asked.
        let vault = try vault(for: client)
        let file = try Self.file(parameters.file, of: item)
        let document = try SealedDocument(limit: FileContent.largest) { (write) throws(ProtocolError) in
            try readFile(file.number, of: item.id, in: vault, write)
        }
        return .init(
            item: PasswordsProtocol.ItemSummary(item), section: try Self.section(file.number, of: item),
            content: Attachment(document.descriptor))
    }

    /// Hands on what is in a file, piece by piece.
    func readFile(
        _ section: UInt16, of item: ItemID, in vault: UnlockedVault,
        _ write: (UnsafeRawBufferPointer) throws(ProtocolError) -> Void
    ) throws(ProtocolError) {
        var failure: ProtocolError?
        do throws(VaultError) {
            try vault.readFile(section, of: item) { (bytes) throws(VaultError) in
                do throws(ProtocolError) {
                    try write(bytes)
                } catch {
                    failure = error
                    throw VaultError(.storage, "what is in a file couldn't be handed on")
                }
            }
        } catch {
            throw failure ?? ProtocolError(error)
        }
    }

    /// Attaches a file to an item.
    ///
    /// - Throws: `exists` where the item has a file of that name; `invalidParameters`; `notFound`, `damaged`, `locked`.
    func attach(
        _ parameters: AttachFile.Parameters, for client: ServiceClient, _ gate: HandoutGate
    ) async throws(ProtocolError) -> AttachFile.Result {
        _ = try vault(for: client)
        let name = try ItemBounds.fileName(parameters.name)
        let mapping = try SealedDocument(received: parameters.content.descriptor, limit: FileContent.largest).map()
        let (before, vault) = try await named(parameters.item, for: client, gate)
        guard !before.files.contains(where: { $0.name == name }) else {
            throw ProtocolError(.exists, "The item has a file called “\(name)” already.")
        }
        let content = try answering { () throws(VaultError) in
            try FileContent(count: mapping.bytes.count, random: environment.random) { (offset, room) in
                room.copyMemory(from: UnsafeRawBufferPointer(rebasing: mapping.bytes[offset..<offset + room.count]))
            }
        }
        let after = try await change(
            before, in: vault,
            ItemChanges(sections: [.add(content.section(name: name))], contents: [content]))
        guard let number = after.sections.last?.number else {
            throw ProtocolError(.internalError, "What was attached is not known.")
        }
        return .init(item: PasswordsProtocol.ItemSummary(after), section: try Self.section(number, of: after))
    }

    /// The file of an item that is called so, or whose section has that number.
    private static func file(_ name: String, of item: StoredSummary) throws(ProtocolError) -> FileHead {
        let files = item.files
        let named = files.filter { $0.name == name }
        guard named.count < 2 else {
            let numbers = named.map { "\($0.number)" }.joined(separator: ", ")
            throw ProtocolError(
                .ambiguous, "The item has \(named.count) files of that name. Name one by its section: \(numbers).")
        }
        guard let file = named.first ?? files.first(where: { "\($0.number)" == name }) else {
            throw ProtocolError(.notFound, "The item has no file of that name.")
        }
        return file
    }

    private static func section(_ number: UInt16, of item: StoredSummary) throws(ProtocolError) -> SectionSummary {
        guard let head = item.sections.first(where: { $0.number == number }) else {
            throw ProtocolError(.notFound, "The item has no section \(number).")
        }
        return SectionSummary(head)
    }
}
