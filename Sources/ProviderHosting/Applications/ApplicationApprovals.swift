import BrokerBase
import KeywaySystem

/// The settings file with the apps that the person approved to act for a provider.
///
/// An approval records the content and the owner of the program: another file in its place is another program.
struct ApplicationApprovals: Sendable {
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

    struct Document: Codable, Sendable {
        var approved: [Approval]
    }

    private let file: SettingsFile<Document>
    private var approvals: [Approval]

    /// The file in `folder`.
    static func file(in folder: String, _ seal: SettingsSeal) -> SettingsFile<Document> {
        SettingsFile(
            folder: folder, name: "applications.json",
            consequence: "no app can act for a provider. Approve your apps again: keyway providers approve NAME.",
            seal: seal)
    }

    /// Reads the file; none is as good as an empty one.
    ///
    /// - Throws: ``ProtocolError``, as ``SettingsFile/read()``.
    init(_ file: SettingsFile<Document>) throws(ProtocolError) {
        self.file = file
        approvals = try file.read()?.approved ?? []
    }

    /// No approvals, to begin anew where the file is not believed.
    init(replacing file: SettingsFile<Document>) {
        self.file = file
        approvals = []
    }

    /// What the person approved of the program that `bundle` names `path`.
    func approval(of path: String, for bundle: ProviderBundle) -> Approval? {
        approvals.first {
            $0.identifier == bundle.reference.identifier && $0.bundle == bundle.path && $0.path == path
        }
    }

    /// Records an approval in place of the one before, durably.
    ///
    /// - Throws: ``ProtocolError`` with the code `locked` or `system`; then nothing changed.
    mutating func add(_ approval: Approval) throws(ProtocolError) {
        let others = approvals.filter { $0.identifier != approval.identifier || $0.path != approval.path }
        try write(others + [approval])
    }

    /// Takes back the approval of the program that `identifier` names `path`, or of all its programs.
    ///
    /// - Throws: ``ProtocolError`` with the code `locked` or `system`; then nothing changed.
    mutating func remove(_ identifier: String, path: String? = nil) throws(ProtocolError) {
        let kept = approvals.filter { $0.identifier != identifier || (path != nil && $0.path != path) }
        if kept.count != approvals.count { try write(kept) }
    }

    private mutating func write(_ changed: [Approval]) throws(ProtocolError) {
        try file.write(Document(approved: changed))
        approvals = changed
    }
}
