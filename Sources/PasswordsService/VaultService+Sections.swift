import AutoFillProtocol
import KeywaySystem
import PasswordsProtocol
import Vault

extension VaultService {
    /// How many members of a section are shown: each has a descriptor of its own.
    private static let shownMembers = 100

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
        var members: [ShowSection.Member] = []
        for member in section.members.prefix(Self.shownMembers) {
            members.append(try ShowSection.Member(member, opens: parameters.opens))
        }
        return .init(
            item: PasswordsProtocol.ItemSummary(item), section: SectionSummary(head), members: members,
            total: section.members.count)
    }
}
