import AutoFillProtocol
import FoundationEssentials
import Glibc

/// Which programs the person lets act for a provider whose apps they are: a small JSON file in the state folder.
///
/// An approval names what the program held and whose it was: another file in its place is another program.
struct ApplicationApprovals: Sendable {
    private static let maximumBytes = 1 << 20

    struct Approval: Codable, Hashable, Sendable {
        /// `CFBundleIdentifier` of the provider.
        let identifier: String
        /// The bundle's folder.
        let bundle: String
        /// The program, as the bundle names it.
        let path: String
        /// What it held (``ProgramDigest``), in hexadecimal digits.
        let digest: String
        /// Whose file it was.
        let owner: UInt32
    }

    private struct Document: Codable {
        var version = 1
        var approved: [Approval]
    }

    private let path: String
    private var approvals: [Approval]

    /// Reads the file; none is as good as an empty one.
    ///
    /// - Throws: ``ProtocolError`` with the code `damaged` (the file stays as it is), or `system`.
    init(path: String) throws(ProtocolError) {
        self.path = path
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else {
            guard errno == ENOENT else { throw .system("open \(path)", errno) }
            approvals = []
            return
        }
        let bytes = try FileContents.read(OwnedDescriptor(file), limit: Self.maximumBytes)
        guard let document = try? JSONDecoder().decode(Document.self, from: Data(bytes)), document.version == 1 else {
            throw ProtocolError(
                .damaged,
                "\(path) cannot be read, so no program counts as a provider's app. It was left as it is: "
                    + "repair it, or move it away and approve the programs again.")
        }
        approvals = document.approved
    }

    /// What the person approved of the program that `bundle` names `path`.
    func approval(of path: String, for bundle: ProviderBundle) -> Approval? {
        approvals.first {
            $0.identifier == bundle.reference.identifier && $0.bundle == bundle.path && $0.path == path
        }
    }

    /// Records an approval in place of the one before, durably.
    ///
    /// - Throws: ``ProtocolError`` with the code `system`; then nothing changed.
    mutating func add(_ approval: Approval) throws(ProtocolError) {
        let others = approvals.filter { $0.identifier != approval.identifier || $0.path != approval.path }
        try write(others + [approval])
    }

    /// Takes back the approval of the program that `identifier` names `path`, or of all its programs.
    ///
    /// - Throws: ``ProtocolError`` with the code `system`; then nothing changed.
    mutating func remove(_ identifier: String, path: String? = nil) throws(ProtocolError) {
        let kept = approvals.filter { $0.identifier != identifier || (path != nil && $0.path != path) }
        if kept.count != approvals.count { try write(kept) }
    }

    private mutating func write(_ changed: [Approval]) throws(ProtocolError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let bytes = try? encoder.encode(Document(approved: changed)) else {
            throw ProtocolError(.internalError, "The approval cannot be written.")
        }
        try FileContents.replace(path, with: Array(bytes) + [UInt8(ascii: "\n")])
        approvals = changed
    }
}
