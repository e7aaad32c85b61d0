import AutoFillProtocol
import KeywaySystem
import PasswordsProtocol
import Vault
import VaultExchange

extension VaultService {
    /// How many members of a section are shown: each has a descriptor of its own.
    private static let shownMembers = 60

    /// One section of an item; its values where they are asked for.
    func show(
        _ parameters: ShowSection.Parameters, for client: ServiceClient, _ gate: HandoutGate
    ) async throws(ProtocolError) -> ShowSection.Result {
        let item = try await item(parameters.item, for: client, gate)
        if parameters.opens { try await gate.secrets(of: item) } else { try await gate.names() }
        // It may have been locked while the person was asked.
        let vault = try vault(for: client)
        guard let head = item.sections.first(where: { Int($0.number) == parameters.section }) else {
            throw ProtocolError(.notFound, "The item has no section \(parameters.section).")
        }
        guard head.isReadable else {
            throw ProtocolError(
                .refused,
                "Section \(parameters.section) was written by a newer version of Keyway. Update Keyway to read it.")
        }
        let section = try answering { () throws(VaultError) in try vault.section(head.number, of: item.id) }
        let shown = section.members.filter { !KeptMember.all.contains($0.name) }
        var members: [ShowSection.Member] = []
        for member in shown.prefix(Self.shownMembers) {
            members.append(try ShowSection.Member(member, of: head.type, opens: parameters.opens))
        }
        return .init(
            item: PasswordsProtocol.ItemSummary(item), section: SectionSummary(head), members: members,
            total: shown.count)
    }

    /// What sections of an item say that people read; those that don't fit into the answer are left out.
    ///
    /// - Parameter taken: how many descriptors the answer has without them.
    func contents(
        of item: StoredSummary, beside taken: Int, in vault: UnlockedVault
    ) throws(ProtocolError) -> [ShowItem.Content] {
        var (contents, left) = ([ShowItem.Content](), Self.shownMembers - taken)
        for head in item.sections where head.isReadable && !SectionWords.isForPrograms(head.type.rawValue) {
            let section = try answering { () throws(VaultError) in try vault.section(head.number, of: item.id) }
            let shown = section.members.filter { !KeptMember.all.contains($0.name) }
            guard shown.count <= left else { continue }
            left -= shown.count
            var members: [ShowSection.Member] = []
            for member in shown { members.append(try ShowSection.Member(member, of: head.type, opens: true)) }
            contents.append(.init(section: Int(head.number), members: members))
        }
        return contents
    }
}
