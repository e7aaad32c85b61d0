import CredentialExchange
import KeywayCrypto
import SecretDocuments
import Vault

/// What an import kept of an item that the vault has no field for.
struct KeptItem {
    /// All of it, by the names that it has in CXF.
    let members: [SectionMember]

    init(_ sections: [ItemSection]) { members = sections.filter { $0.type == .item }.flatMap(\.members) }

    /// The value of a member that CXF has.
    func json(_ name: String) -> JSONValue? {
        members.first { $0.name == name && $0.kind == .json }.flatMap { JSONBytes.read($0.value) }
    }

    /// Text that is no secret.
    func text(_ name: String) -> String? {
        members.first { $0.name == name && $0.kind == .plainText }?.value.publicText
    }

    /// The identifier that the item had where it came from, unless another has it: what refers to it still finds it.
    func identifier(of item: ItemID, _ taken: Set<String>) -> String {
        if let id = text("id"), !taken.contains(id) { return id }
        return SecretBytes(copying: item.bytes).base64URL.publicText
    }
}
