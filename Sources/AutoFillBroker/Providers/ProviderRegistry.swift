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
        /// All bundles, enabled ones first, each by name.
        package let bundles: [ProviderBundle]
        /// Those that the person turned on and that nothing is wrong with.
        package let enabled: [ProviderBundle]
    }

    private let folders: [KeywayPaths.ProviderFolder]
    private let choicesPath: String
    private var seen: [FileMark] = []
    private var current: Snapshot?

    /// The registry over these folders, system ones first; the choices are kept at `choicesPath`.
    package init(folders: [KeywayPaths.ProviderFolder], choicesPath: String) {
        self.folders = folders
        self.choicesPath = choicesPath
    }

    /// What is installed now.
    ///
    /// - Throws: ``ProtocolError`` with the code `damaged` or `system` when the person's choices cannot be read.
    package func snapshot() throws(ProtocolError) -> Snapshot {
        let marks = look()
        // A bundle with a problem may be repaired without leaving a mark.
        if let current, marks == seen, current.bundles.allSatisfy({ $0.problem == nil }) { return current }
        let choices = try EnabledProviders(path: choicesPath)
        let bundles = judged()
        let enabled = bundles.filter { $0.problem == nil && choices.contains($0) }
        let rest = bundles.filter { !enabled.contains($0) }
        let ordered = enabled.byName() + rest.byName()
        seen = marks
        if let current, current.bundles == ordered, current.enabled == enabled.byName() { return current }
        let snapshot = Snapshot(
            generation: (current?.generation ?? 0) + 1, bundles: ordered, enabled: enabled.byName())
        current = snapshot
        return snapshot
    }

    /// Records the person's choice.
    ///
    /// - Throws: ``ProtocolError``: `notFound` with what there is, `refused` for a bundle with a problem, `damaged`.
    package func set(_ identifier: String, isEnabled: Bool) throws(ProtocolError) -> ProviderBundle {
        let bundles = try snapshot().bundles
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
        var choices = try EnabledProviders(path: choicesPath)
        try choices.set(bundle, isEnabled: isEnabled)
        return bundle
    }

    // MARK: - Looking

    /// All that a snapshot was made from, as cheap marks.
    private func look() -> [FileMark] {
        var marks = [FileMark(choicesPath)]
        for folder in folders {
            for bundle in bundleFolders(folder) {
                marks.append(FileMark(bundle))
                marks.append(FileMark(bundle + "/Info.plist"))
            }
        }
        return marks
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
    let inode: UInt
    let size: Int
    let seconds: Int
    let nanoseconds: Int

    init(_ path: String) {
        var status = stat()
        let exists = stat(path, &status) == 0
        self.path = path
        inode = exists ? UInt(status.st_ino) : 0
        size = exists ? Int(status.st_size) : -1
        seconds = exists ? status.st_mtim.tv_sec : 0
        nanoseconds = exists ? status.st_mtim.tv_nsec : 0
    }
}

extension [ProviderBundle] {
    fileprivate func byName() -> [ProviderBundle] {
        sorted { ($0.reference.name, $0.path) < ($1.reference.name, $1.path) }
    }
}
