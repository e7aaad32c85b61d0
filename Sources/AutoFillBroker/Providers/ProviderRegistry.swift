package import AutoFillProtocol
import Glibc

/// Which bundles are installed and which of them the person turned on.
///
/// Every question looks at the folders again, which costs a few system calls while nothing changed, so a bundle that
/// was removed is gone at once.
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
    private let choicesPath: String
    private var seen: [FileMark] = []
    private var current: Snapshot?
    private var examiner: BundleExaminer

    /// The registry over these folders, system ones first; the choices are kept in `state`.
    package init(folders: [KeywayPaths.ProviderFolder], state: String, seal: SettingsSeal) {
        self.init(folders: folders, state: state, seal: seal, examiner: BundleExaminer())
    }

    init(folders: [KeywayPaths.ProviderFolder], state: String, seal: SettingsSeal, examiner: BundleExaminer) {
        self.folders = folders
        choices = EnabledProviders.file(in: state, seal)
        choicesPath = state + "/providers.json"
        self.examiner = examiner
    }

    /// How many files were read to see whether they changed.
    var readings: Int { examiner.readings }

    /// What is installed now.
    ///
    /// - Throws: ``ProtocolError`` with the code `damaged`, `locked` or `system` when the person's choices cannot be read.
    package func snapshot() throws(ProtocolError) -> Snapshot {
        try snapshot(of: EnabledProviders(choices))
    }

    /// What is installed now, for whoever is about to record a choice: where the choices before are not believed, nothing
    /// is on.
    ///
    /// - Throws: ``ProtocolError`` with the code `locked` or `system`.
    package func snapshotToChange() throws(ProtocolError) -> Snapshot {
        try snapshot(of: EnabledProviders.toChange(choices))
    }

    private func snapshot(of choices: EnabledProviders) throws(ProtocolError) -> Snapshot {
        let marks = look(current?.bundles ?? [])
        // A bundle with a problem may be repaired without leaving a mark.
        if let current, marks == seen, current.bundles.allSatisfy({ $0.problem == nil }) { return current }
        let before = look([])
        let bundles = judged()
        examiner.keepOnly(bundles)
        var (enabled, changed): ([Int: ProviderBundle], [ProviderBundle]) = ([:], [])
        for var bundle in bundles where bundle.problem == nil {
            guard let position = choices.position(of: bundle) else { continue }
            bundle.mayRunUnconfined = choices.choices[position].mayRunUnconfined ?? false
            if choices.choices[position].record?.covers(examiner.examine(bundle)) == true {
                enabled[position] = bundle
            } else {
                changed.append(bundle)
            }
        }
        let inOrder = enabled.sorted { $0.key < $1.key }.map(\.value)
        let rest = bundles.filter { bundle in !inOrder.contains { $0.path == bundle.path } }
        let ordered = inOrder + rest.byName()
        // Of the bundles that are there now. One that came while they were read is looked at the next time.
        let after = look(ordered)
        seen = Array(after.prefix(before.count)) == before ? after : []
        if let current, current.bundles == ordered, current.enabled == inOrder, current.changed == changed {
            return current
        }
        let snapshot = Snapshot(
            generation: (current?.generation ?? 0) + 1, bundles: ordered, enabled: inOrder, changed: changed)
        current = snapshot
        return snapshot
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
        let chosen = try EnabledProviders.toChange(choices)
        let installed = Set(try snapshot(of: chosen).bundles.map(\.reference.identifier))
        return chosen.choices.map(\.identifier).filter { !installed.contains($0) }
    }

    /// Records the person's choice.
    ///
    /// - Throws: ``ProtocolError``: `notFound` with what there is, `refused` for a bundle with a problem, `locked`, `system`.
    package func set(
        _ identifier: String, isEnabled: Bool, mayRunUnconfined: Bool = false
    ) throws(ProtocolError) -> ProviderBundle {
        var choices = try EnabledProviders.toChange(choices)
        let bundles = try snapshot(of: choices).bundles
        let named = bundles.filter { $0.reference.identifier == identifier }
        guard let bundle = named.first(where: { $0.problem == nil }) ?? named.first else {
            let names = bundles.map(\.reference.identifier).joined(separator: ", ")
            throw ProtocolError(
                .notFound,
                "No provider `\(DisplayText.line(identifier))` is installed. "
                    + (names.isEmpty ? "There is none." : "There is: \(names)."))
        }
        if isEnabled, let problem = bundle.problem {
            throw ProtocolError(
                .refused, "\(bundle.reference.name) cannot be enabled: \(problem)",
                provider: bundle.reference.identifier)
        }
        if isEnabled {
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
                "The provider `\(DisplayText.line(stranger))` is not enabled. Enabled: \(on.joined(separator: ", ")).")
        }
        var choices = try EnabledProviders(choices)
        try choices.order(identifiers)
    }

    // MARK: - Looking

    /// All that a snapshot was made from, as cheap marks; the programs are those of `bundles`.
    private func look(_ bundles: [ProviderBundle]) -> [FileMark] {
        var marks = [FileMark(choicesPath)]
        for folder in folders {
            for bundle in bundleFolders(folder) {
                marks.append(FileMark(bundle))
                marks.append(FileMark(bundle + "/Info.plist"))
            }
        }
        return marks + bundles.flatMap { BundleExaminer.files(of: $0).dropFirst().map(FileMark.init) }
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

/// What tells whether a file or folder is still the same one with the same contents.
private struct FileMark: Equatable {
    let path: String
    let file: ProgramFile?

    init(_ path: String) {
        self.path = path
        file = ProgramFile(path: path)
    }
}

extension [ProviderBundle] {
    fileprivate func byName() -> [ProviderBundle] {
        sorted { ($0.reference.name, $0.path) < ($1.reference.name, $1.path) }
    }
}
