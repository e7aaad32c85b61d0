import Glibc

/// What a folder is that somebody wants to import, by the names in it.
struct ExportFolder {
    /// The kinds of folders.
    enum Kind: Equatable {
        /// 1Password's former format: a folder, with one file in it that matters.
        case onePassword
        /// Entries of `pass`, which gpg encrypted.
        case passwordStore
        /// Entries of gopass or passage, which age encrypted.
        case ageStore
        /// Nothing that is known.
        case other
    }

    /// The file in a folder of 1Password.
    static let onePasswordFile = "data.1pif"
    private static let mostNames = 100_000
    private static let mostDepth = 3

    /// What it is.
    let kind: Kind

    /// Looks at the names in the folder `path`, and in the folders in it.
    init(_ path: String) {
        if access("\(path)/\(Self.onePasswordFile)", F_OK) == 0 {
            kind = .onePassword
        } else if access("\(path)/.gpg-id", F_OK) == 0 {
            kind = .passwordStore
        } else if access("\(path)/.age-recipients", F_OK) == 0 {
            kind = .ageStore
        } else {
            var left = Self.mostNames
            let suffixes: [(String, Kind)] = [(".gpg", .passwordStore), (".age", .ageStore)]
            kind = suffixes.first { Self.holds($0.0, in: path, 1, &left) }?.1 ?? .other
        }
    }

    /// Why such a folder isn't imported.
    func refusal(_ path: String) -> CommandError {
        kind == .ageStore
            ? CommandError(.refused, Strings.ageFolder(path), hint: Strings.convertAgeFolder)
            : CommandError(.refused, Strings.folderToImport(path), hint: Strings.nameExportedFile)
    }

    /// Whether a file in the folder, or in one below it, has a name with that end. No link is followed.
    private static func holds(_ suffix: String, in path: String, _ depth: Int, _ left: inout Int) -> Bool {
        guard let folder = opendir(path) else { return false }
        defer { closedir(folder) }
        var folders: [String] = []
        while left > 0, let entry = readdir(folder) {
            left -= 1
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
                    String(cString: $0)
                }
            }
            guard !name.hasPrefix(".") else { continue }
            if Int(entry.pointee.d_type) == Int(DT_DIR) {
                folders.append("\(path)/\(name)")
            } else if name.hasSuffix(suffix) {
                return true
            }
        }
        guard depth < mostDepth else { return false }
        for folder in folders where holds(suffix, in: folder, depth + 1, &left) { return true }
        return false
    }
}
