import AutoFillWire
import BrokerBase
import Glibc
import KeywaySystem

/// The desktop entries that the system's administrator installed (freedesktop.org, Desktop Entry Specification 1.5).
/// Those of the person's own folders name nobody: any program can write there.
struct DesktopEntries: Sendable {
    /// One of them.
    struct Entry: Hashable, Sendable {
        /// The file's name without its end, such as `org.example.App`.
        let identifier: String
        /// What people call the app.
        let name: String
    }

    /// Those of this machine.
    static let ofSystem = DesktopEntries(
        folders: ["/usr/local/share/applications", "/usr/share/applications"],
        programs: ["/usr/local/bin", "/usr/bin", "/bin", "/usr/local/games", "/usr/games"])
    private static let most = 4096

    /// Where they lie.
    let folders: [String]
    /// Where a program lies that is named without its folder.
    let programs: [String]

    /// The entries that start the program `file`, in the order of their names.
    func entries(of file: ProgramFile) -> [Entry] {
        folders.filter(SystemFolder.isOne).flatMap { folder in
            Self.files(in: folder).compactMap { entry("\(folder)/\($0)", file) }
        }
    }

    private func entry(_ path: String, _ file: ProgramFile) -> Entry? {
        guard let mark = ProgramFile(path: path), mark.owner == 0, !mark.isWritableByOthers,
            let text = DesktopFile.read(path), let line = text["Desktop Entry", "Exec"],
            let word = Self.firstWord(of: line), starts(word, file)
        else { return nil }
        let name = path.split(separator: "/").last.map { String($0.dropLast(8)) } ?? path
        return Entry(identifier: name, name: DisplayText.line(text["Desktop Entry", "Name"] ?? name))
    }

    private func starts(_ word: String, _ file: ProgramFile) -> Bool {
        let paths = word.hasPrefix("/") ? [word] : programs.map { "\($0)/\(word)" }
        guard let found = paths.lazy.compactMap({ ProgramFile(path: $0) }).first else { return false }
        return found.isSameFile(as: file)
    }

    /// The program of an `Exec` line; nil for a line whose quotation does not end.
    static func firstWord(of line: String) -> String? {
        guard line.hasPrefix("\"") else { return line.split(separator: " ").first.map(String.init) }
        var word = ""
        var isEscaped = false
        for character in line.dropFirst() {
            if !isEscaped && character == "\"" { return word }
            isEscaped = !isEscaped && character == "\\"
            if !isEscaped { word.append(character) }
        }
        return nil
    }

    private static func files(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while names.count < most, let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(".desktop") { names.append(name) }
        }
        return names.sorted()
    }
}
