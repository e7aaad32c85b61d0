package import AutoFillProtocol
import AutoFillWire
package import BrokerBase
import Glibc
package import KeywaySystem

/// The registry of the providers' apps: which program belongs to which provider, which ones the person approved, and
/// which asked for approval.
package actor Applications {
    /// A program that belongs to a provider.
    package struct Belonging: Sendable {
        /// Whose it is.
        package let bundle: ProviderBundle
        /// The program, as the bundle names it.
        package let path: String
    }

    private struct Request: Hashable {
        let identifier: String
        let path: String
    }

    private let file: SettingsFile<ApplicationApprovals.Document>
    private let log: EventLog
    private var requested: Set<Request> = []
    /// Digests of files that have not changed since.
    private var digests: [String: (file: ProgramFile, digest: String?)] = [:]

    /// The apps whose approvals are kept in `state`.
    package init(state: String, seal: SettingsSeal, log: EventLog) {
        file = ApplicationApprovals.file(in: state, seal)
        self.log = log
    }

    // MARK: - Whose program

    /// The one bundle of `bundles` whose app the open program is; of several it is nobody's.
    package nonisolated func owner(of program: OwnedDescriptor, among bundles: [ProviderBundle]) -> Belonging? {
        guard let file = ProgramFile(program), file.problem == nil else { return nil }
        let owners = bundles.compactMap { bundle in
            bundle.applications.first { ProgramFile(path: $0)?.isSameFile(as: file) == true }
                .map { Belonging(bundle: bundle, path: $0) }
        }
        return owners.count == 1 ? owners.first : nil
    }

    /// Refuses a bundle that names a program of another one.
    ///
    /// - Throws: ``ProtocolError`` with the code `refused`.
    package nonisolated func checkBelongings(of bundle: ProviderBundle, beside others: [ProviderBundle])
        throws(ProtocolError)
    {
        for other in others where other.reference.identifier != bundle.reference.identifier {
            for path in bundle.applications where other.applications.contains(where: { isSame($0, path) }) {
                throw ProtocolError(
                    .refused,
                    "\(bundle.reference.name) can't be turned on: \(path) is the app of \(other.reference.name), "
                        + "and a program can belong to only one provider.", provider: bundle.reference.identifier)
            }
        }
    }

    private nonisolated func isSame(_ one: String, _ other: String) -> Bool {
        if one == other { return true }
        guard let one = ProgramFile(path: one), let other = ProgramFile(path: other) else { return false }
        return one.isSameFile(as: other)
    }

    // MARK: - Approvals

    /// Whether the person approved this program as it is now.
    package func isApproved(_ application: Belonging) -> Bool {
        guard let approval = approvals()?.approval(of: application.path, for: application.bundle),
            let file = ProgramFile(path: application.path), file.problem == nil, file.owner == approval.owner
        else { return false }
        return digest(of: application.path) == approval.digest
    }

    /// Records that the program asked and was not let.
    ///
    /// - Returns: whether it is the first time since the person last decided.
    package func note(_ application: Belonging) -> Bool {
        requested.insert(Request(identifier: application.bundle.reference.identifier, path: application.path)).inserted
    }

    /// Approves the program that `bundle` names `path`, as it is now, or takes that back.
    ///
    /// - Throws: ``ProtocolError``: `notFound` for a program that the bundle does not name, `refused` for one that cannot
    ///   count as an app, `locked` or `system` when it cannot be recorded.
    package func decide(_ isApproved: Bool, _ path: String, of bundle: ProviderBundle) throws(ProtocolError) {
        let provider = bundle.reference
        guard bundle.applications.contains(path) else {
            let names = bundle.applications.joined(separator: ", ")
            throw ProtocolError(
                .notFound,
                "\(DisplayText.line(path)) isn't an app of \(provider.name). "
                    + (names.isEmpty ? "It has none." : "Its apps are: \(names)."), provider: provider.identifier)
        }
        var approvals = try approvalsToChange()
        requested.remove(Request(identifier: provider.identifier, path: path))
        guard isApproved else { return try approvals.remove(provider.identifier, path: path) }
        let (file, digest) = try inspect(path, for: provider)
        try approvals.add(
            .init(
                identifier: provider.identifier, bundle: bundle.path, path: path, digest: digest, owner: file.owner))
        log("\(provider.identifier): \(path) counts as its app")
    }

    /// Takes back all approvals of a provider that was turned off.
    package func forget(_ identifier: String) {
        requested = requested.filter { $0.identifier != identifier }
        guard var approvals = approvals() else { return }
        do { try approvals.remove(identifier) } catch { log("\(identifier): \(error.message)") }
    }

    /// The apps of a bundle, as `providers.list` shows them.
    package func list(_ bundle: ProviderBundle) -> [ProviderApplication] {
        bundle.applications.map { path in
            ProviderApplication(
                path: path, isApproved: isApproved(Belonging(bundle: bundle, path: path)),
                isRequested: requested.contains(Request(identifier: bundle.reference.identifier, path: path)))
        }
    }

    // MARK: - Files

    /// What the person approved; nil where that cannot be read, or is not believed.
    private func approvals() -> ApplicationApprovals? {
        try? ApplicationApprovals(file)
    }

    private func approvalsToChange() throws(ProtocolError) -> ApplicationApprovals {
        do throws(ProtocolError) {
            return try ApplicationApprovals(file)
        } catch {
            guard error.code == .damaged else { throw error }
            return ApplicationApprovals(replacing: file)
        }
    }

    private func inspect(
        _ path: String, for provider: ProviderReference
    ) throws(ProtocolError) -> (ProgramFile, String) {
        let refusal = { (clause: String) in
            ProtocolError(
                .refused, "\(path) can't be an app of \(provider.name): \(clause).",
                provider: provider.identifier)
        }
        guard let file = ProgramFile(path: path) else { throw refusal("it doesn't exist") }
        if let problem = file.problem { throw refusal(problem) }
        if DeclaredApplication.isInterpreter(DeclaredApplication.resolved(path) ?? path) {
            throw refusal("it also runs other programs")
        }
        do throws(ProtocolError) {
            return (file, try computedDigest(of: path).hexadecimal)
        } catch {
            throw refusal(error.message)
        }
    }

    /// What the file holds now, read again only when it has changed; nil when it cannot be read.
    private func digest(of path: String) -> String? {
        guard let file = ProgramFile(path: path) else { return nil }
        if let known = digests[path], known.file == file { return known.digest }
        let digest = try? computedDigest(of: path).hexadecimal
        // The file of before and of after the reading must be one, or what was read is of neither.
        if ProgramFile(path: path) == file { digests[path] = (file, digest) }
        return digest
    }

    private func computedDigest(of path: String) throws(ProtocolError) -> [UInt8] {
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK
        let file = OwnedDescriptor(try SystemCall.check("open \(path)") { open(path, flags) })
        return try ProgramDigest.make(of: file)
    }
}
