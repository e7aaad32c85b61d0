import KeywayCrypto
import KeywaySystem
import Vault

/// The entries that every row works on: the same for us and for the peers.
struct SampleItems: Sendable {
    /// How the accounts are spread.
    enum Layout: Hashable, Sendable {
        /// Each at a site of its own.
        case ownSites
        /// All at one site.
        case oneSite
    }

    static let master = "correct horse battery staple"

    let count: Int
    let layout: Layout

    init(_ count: Int, _ layout: Layout = .ownSites) {
        self.count = count
        self.layout = layout
    }

    /// Six digits.
    static func number(_ index: Int) -> String {
        let digits = String(index)
        return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }

    func title(_ index: Int) -> String { "Site \(Self.number(index))" }

    func user(_ index: Int) -> String { "user\(index)@mail.example" }

    func password(_ index: Int) -> String { "pw-\(Self.number(index))-abcdefghij" }

    func address(_ index: Int) -> String {
        switch layout {
        case .ownSites: "https://www.site\(Self.number(index)).com/login"
        case .oneSite: "https://www.example.com/login"
        }
    }

    /// A secret in a memory file.
    static func secret(_ text: String) throws -> SealedMemory {
        try Array(text.utf8).withUnsafeBytes { (bytes) throws in try SealedMemory(copying: bytes) }
    }

    /// An index that walks over all items in no order, the same each time.
    func scattered(_ step: Int) -> Int { (step * 7919 + 13) % count }

    /// Makes the vault file at `path` under ``master``, with all items in it.
    func makeVault(at path: String, derivation: PasswordDerivation = .floor) throws {
        let environment = VaultEnvironment(epochs: NoEpochs())
        let master = SecretBytes(copyingUTF8Of: Self.master)
        try Vault.create(at: path, password: master, derivation: derivation, environment: environment)
        let vault = try LockedVault.open(at: path, environment: environment).unlock(password: master)
        try vault.add(
            (0..<count).lazy.map { index in
                ItemDraft(
                    title: title(index), userName: user(index),
                    password: SecretBytes(copyingUTF8Of: password(index)), addresses: [address(index)])
            })
    }
}

/// Remembers nothing: the service that opens the file afterwards has a memory of its own.
private struct NoEpochs: EpochMemory {
    func newest(of vault: VaultID) throws(VaultError) -> UInt64? { nil }
    func remember(_ epoch: UInt64, of vault: VaultID) throws(VaultError) {}
}
