package import AutoFillProtocol
import AutoFillWire
package import BrokerBase
import Glibc
package import KeywaySystem

/// Knows which bundles are installed and which of them the person turned on.
///
/// It reads the folders again only after the kernel reports a change there (``FileWatch``). The kernel does so before
/// a removal is finished, so a removed bundle is gone immediately.
package actor ProviderRegistry {
    /// What is installed, at one moment.
    package struct Snapshot: Sendable {
        /// Changes whenever anything else here did.
        package let generation: Int
        /// All bundles: enabled ones in the person's order, then the others by name.
        package let bundles: [ProviderBundle]
        /// Those that the person turned on, that nothing is wrong with, and that are still what they were then.
        package let enabled: [ProviderBundle]
        /// Those that the person turned on and that have changed since.
        package let changed: [ProviderBundle]
    }

    private let folders: [KeywayPaths.ProviderFolder]
    private let choices: SettingsFile<EnabledProviders.Document>
    private let watch: FileWatch
    private let policy: PolicyFiles
    /// What ``current`` was made from: the files, and the person's choices.
    private var trace: FileTrace?
    private var chosen: [EnabledProviders.Choice] = []
    private var current: Snapshot?
    private var judgedBy = AdministratorPolicy()
    private var examiner: BundleExaminer
    /// Learns of each bundle that came with an upgrade of Keyway and stays on, and what it declares beyond before.
    private let noteUpgrade: @Sendable (ProviderReference, [String]) -> Void
    /// How often somebody looked at the folders.
    private(set) var looks = 0

    /// The registry over these folders, system ones first; the choices are kept in `state`.
    ///
    /// - Parameters:
    ///   - policy: what the administrator allows.
    ///   - noteUpgrade: learns, once, of each bundle that came with an upgrade of Keyway and stays on although it declares
    ///     more, and what that is.
    package init(
        folders: [KeywayPaths.ProviderFolder], state: String, seal: SettingsSeal, policy: PolicyFiles = .none,
        noteUpgrade: @escaping @Sendable (ProviderReference, [String]) -> Void
    ) {
        self.init(
            folders: folders, state: state, seal: seal, policy: policy, examiner: BundleExaminer(),
            noteUpgrade: noteUpgrade)
    }

    init(
        folders: [KeywayPaths.ProviderFolder], state: String, seal: SettingsSeal, policy: PolicyFiles = .none,
        examiner: BundleExaminer, watch: FileWatch = .ofThisProcess,
        noteUpgrade: @escaping @Sendable (ProviderReference, [String]) -> Void = { _, _ in }
    ) {
        self.noteUpgrade = noteUpgrade
        self.policy = policy
        self.folders = folders
        choices = EnabledProviders.file(in: state, seal)
        self.examiner = examiner
        self.watch = watch
    }

    /// How many files were read to see whether they changed.
    var readings: Int { examiner.readings }

    /// What is installed now.
    ///
    /// - Throws: ``ProtocolError`` with the code `damaged`, `locked` or `system` when the person's choices cannot be read.
    package func snapshot() throws(ProtocolError) -> Snapshot {
        var choices = try EnabledProviders(choices)
        return snapshot(of: &choices)
    }

    /// What is installed now, for whoever is about to record a choice: where the choices before are not believed, nothing
    /// is on.
    ///
    /// - Throws: ``ProtocolError`` with the code `locked` or `system`.
    package func snapshotToChange() throws(ProtocolError) -> Snapshot {
        var choices = try EnabledProviders.toChange(choices)
        return snapshot(of: &choices)
    }

    /// Whether the bundle is on and still what it was when the person turned it on, looked at now, whatever the kernel told:
    /// of a file that is written through a mapping it tells when that is closed. For whoever is about to start it.
    ///
    /// - Throws: as ``snapshot()``.
    package func mayStart(_ bundle: ProviderBundle) throws(ProtocolError) -> Bool {
        guard try snapshot().enabled.contains(bundle) else { return false }
        let choice = chosen.first { $0.identifier == bundle.reference.identifier && $0.path == bundle.path }
        if let record = choice?.record, examiner.isCovered(bundle, by: record) { return true }
        trace = nil
        return try snapshot().enabled.contains(bundle)
    }

    private func snapshot(of choices: inout EnabledProviders) -> Snapshot {
        let policy = policy.current
        if let current, let trace, choices.choices == chosen, policy == judgedBy, trace.isUnchanged { return current }
        let (bundles, trace) = look()
        examiner.keepOnly(bundles)
        var (enabled, changed): ([Int: ProviderBundle], [ProviderBundle]) = ([:], [])
        for var bundle in bundles where bundle.problem == nil {
            // One that was on before the administrator forbade it is off, and on again where they allow it again.
            guard policy.allows(provider: bundle.reference.identifier) else { continue }
            guard let position = choices.position(of: bundle) else { continue }
            bundle.mayRunUnconfined = choices.choices[position].mayRunUnconfined ?? false
            let record = choices.choices[position].record
            if let record, examiner.isCovered(bundle, by: record) {
                enabled[position] = bundle
            } else if let record, let (now, added) = examiner.upgraded(bundle, since: record) {
                enabled[position] = bundle
                adopt(bundle, as: now, thatAdds: added, in: &choices)
            } else {
                changed.append(bundle)
            }
        }
        let inOrder = enabled.sorted { $0.key < $1.key }.map(\.value)
        let rest = bundles.filter { bundle in !inOrder.contains { $0.path == bundle.path } }
        let ordered = inOrder + rest.byName()
        self.trace = trace
        chosen = choices.choices
        judgedBy = policy
        if let current, current.bundles == ordered, current.enabled == inOrder, current.changed == changed {
            return current
        }
        let snapshot = Snapshot(
            generation: (current?.generation ?? 0) + 1, bundles: ordered, enabled: inOrder, changed: changed)
        current = snapshot
        return snapshot
    }

    /// Records what a bundle has become by an upgrade of Keyway. Where that can't be written, it is tried again when
    /// something changes, and told then.
    private func adopt(
        _ bundle: ProviderBundle, as now: BundleRecord, thatAdds added: Set<String>, in choices: inout EnabledProviders
    ) {
        do throws(ProtocolError) {
            try choices.enable(bundle, as: now, mayRunUnconfined: bundle.mayRunUnconfined)
        } catch {
            return
        }
        noteUpgrade(bundle.reference, added.sorted())
    }

    /// Refuses a provider that the administrator does not allow.
    ///
    /// - Throws: ``ProtocolError`` with the code `forbidden`.
    package nonisolated func checkAllowed(_ identifier: String) throws(ProtocolError) {
        let policy = policy.current
        guard !policy.allows(provider: identifier) else { return }
        throw policy.refusal(
            .providers, "The provider `\(DisplayText.line(identifier))` can't be turned on here.", provider: identifier)
    }

    /// Whether the person turned that bundle on and it has changed since.
    package func hasChanged(_ bundle: ProviderBundle) -> Bool {
        current?.changed.contains { $0.path == bundle.path } ?? false
    }

    /// The identifiers of what the person turned on and that is not installed any more; none where their choices are not
    /// believed.
    ///
    /// - Throws: ``ProtocolError`` with the code `locked` or `system`.
    package func missing() throws(ProtocolError) -> [String] {
        var chosen = try EnabledProviders.toChange(choices)
        let installed = Set(snapshot(of: &chosen).bundles.map(\.reference.identifier))
        return chosen.choices.map(\.identifier).filter { !installed.contains($0) }
    }

    /// Records the person's choice.
    ///
    /// - Throws: ``ProtocolError``: `notFound` with what there is, `refused` for a bundle with a problem, `forbidden`,
    ///   `locked`, `system`.
    package func set(
        _ identifier: String, isEnabled: Bool, mayRunUnconfined: Bool = false
    ) throws(ProtocolError) -> ProviderBundle {
        var choices = try EnabledProviders.toChange(choices)
        let bundles = snapshot(of: &choices).bundles
        let named = bundles.filter { $0.reference.identifier == identifier }
        guard let bundle = named.first(where: { $0.problem == nil }) ?? named.first else {
            let names = bundles.map(\.reference.identifier).joined(separator: ", ")
            throw ProtocolError(
                .notFound,
                "The provider `\(DisplayText.line(identifier))` is not installed. "
                    + (names.isEmpty ? "No provider is." : "Installed: \(names)."))
        }
        if isEnabled, let problem = bundle.problem {
            throw ProtocolError(
                .refused, "\(bundle.reference.name) can't be turned on: \(problem)",
                provider: bundle.reference.identifier)
        }
        if isEnabled {
            try checkAllowed(bundle.reference.identifier)
            try choices.enable(bundle, as: examiner.examine(bundle), mayRunUnconfined: mayRunUnconfined)
        } else {
            try choices.disable(bundle.reference.identifier)
        }
        return bundle
    }

    /// Records the person's order.
    ///
    /// - Throws: ``ProtocolError``: `notFound` for a provider that is not on, `damaged`, or `system`.
    package func order(_ identifiers: [String]) throws(ProtocolError) {
        let snapshot = try snapshot()
        let on = (snapshot.enabled + snapshot.changed).map(\.reference.identifier)
        if let stranger = identifiers.first(where: { !on.contains($0) }) {
            throw ProtocolError(
                .notFound,
                "The provider `\(DisplayText.line(stranger))` is not turned on. Turned on: \(on.joined(separator: ", "))."
            )
        }
        var choices = try EnabledProviders(choices)
        try choices.order(identifiers)
    }

    // MARK: - Looking

    /// How often bundles are read because one named a file that was not watched yet. Who goes on is looked at again by the
    /// next question.
    private static let maximumReadings = 3

    /// All that is installed, and what tells of a change of it: every folder and file is watched before it is read.
    private func look() -> (bundles: [ProviderBundle], trace: FileTrace?) {
        looks += 1
        let trace = watch.trace()
        for folder in folders { trace.addNames(in: folder.path) }
        for _ in 0..<Self.maximumReadings {
            let bundles = judged()
            if !trace.add(bundles.flatMap(\.judgedPaths)) { return (bundles, trace) }
        }
        return (judged(), nil)
    }

    private func bundleFolders(_ folder: KeywayPaths.ProviderFolder) -> [String] {
        Folder.entries(folder.path).filter { $0.hasSuffix(".appex") }.map { "\(folder.path)/\($0)" }
    }

    /// The bundles; of several with one identifier the first has it, and system folders come first.
    private func judged() -> [ProviderBundle] {
        var owners: [String: ProviderBundle] = [:]
        var bundles: [ProviderBundle] = []
        for folder in folders {
            for path in bundleFolders(folder) {
                let bundle = ProviderBundle(path: path, scope: folder.scope)
                if let owner = owners[bundle.reference.identifier] {
                    bundles.append(bundle.with(problem: "Its identifier belongs to \(owner.path)."))
                } else {
                    owners[bundle.reference.identifier] = bundle
                    bundles.append(bundle)
                }
            }
        }
        return bundles
    }
}

extension [ProviderBundle] {
    fileprivate func byName() -> [ProviderBundle] {
        sorted { ($0.reference.name, $0.path) < ($1.reference.name, $1.path) }
    }
}
