import Confinement
import Glibc

/// Where gpg keeps secret keys. Its agent uses them for whoever talks with it; nobody else needs to see them.
enum SecretKeys {
    /// The folder of them, in a home of gpg.
    static let name = "private-keys-v1.d"

    /// The homes of gpg: the one that the environment names, and where it lies otherwise.
    static func homes(in values: [String: String]) -> [String] {
        ProgramFolder.all("GNUPGHOME", in: values)
    }

    /// Where such folders are seen inside: right below what is reached, and those of `homes` however far below.
    static func folders(in places: some Collection<Enclosure.Place>, homes: [String]) -> [String] {
        let known = homes.map { PathWalk.canonical("\($0)/\(name)") }
        var seen: Set<String> = []
        for place in places {
            for folder in known + [PathWalk.canonical("\(place.source)/\(name)")]
            where PathWalk.isWithin(folder, place.source) && isFolder(folder) {
                seen.insert(place.path + folder.dropFirst(place.source.count))
            }
        }
        return seen.sorted()
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}

/// The folder of a program that its variable names.
enum ProgramFolder {
    /// It, and where it lies without the variable, which the program takes when it is started by something else.
    static func all(_ name: String, in values: [String: String]) -> [String] {
        let usual = SandboxFolders.programFolders[name].map { (values["HOME"] ?? "") + $0.dropFirst() }
        return Set([values[name], usual].compactMap { $0 }).sorted()
    }
}
