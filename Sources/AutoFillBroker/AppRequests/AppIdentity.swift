import AutoFillWire
import Glibc
import KeywaySystem
import ProviderHosting

/// The app behind a connection, as far as the system knows it: from the kernel's word about the process, and from files
/// that only the system's administrator writes.
struct AppIdentity: Sendable {
    /// What it is called, for the person.
    let name: String
    /// The file that it runs.
    let path: String
    /// What the file of a site may call it; empty for a program that anybody could have put there, which no site can
    /// name.
    let names: [String]

    /// The app that `process` runs, as it was when it connected.
    init(
        _ process: PeerProcess, _ program: ClientProgram, entries: DesktopEntries = .ofSystem,
        installations: [String] = FlatpakApp.installations
    ) {
        path = program.path
        if let flatpak = FlatpakApp(of: process) {
            name = DisplayText.line(flatpak.identifier)
            names = flatpak.vouches(for: program, installations) ? ["flatpak:\(flatpak.identifier)"] : []
            return
        }
        // What runs other people's programs is nobody's app.
        guard program.isSystems, !DeclaredApplication.isInterpreter(path) else {
            name = program.name
            names = []
            return
        }
        let entries = entries.entries(of: program.file)
        name = entries.first?.name ?? program.name
        names = entries.map { "desktop:\($0.identifier)" } + ["program:\(path)"]
    }

    /// An app by its parts.
    init(name: String, path: String, names: [String]) {
        self.name = name
        self.path = path
        self.names = names
    }
}

/// The groups of a file as desktop entries and Flatpak write them: `[Group]`, then `Key=Value`.
struct DesktopFile {
    private var values: [String: [String: String]] = [:]

    /// Reads `text`; of a key that stands there twice the first counts.
    init(_ text: String) {
        var group = ""
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("["), line.hasSuffix("]") {
                group = String(line.dropFirst().dropLast())
            } else if !line.hasPrefix("#"), let sign = line.firstIndex(of: "=") {
                let key = line[..<sign].trimmed
                if values[group]?[key] == nil {
                    values[group, default: [:]][key] = line[line.index(after: sign)...].trimmed
                }
            }
        }
    }

    /// The value of `key` in `group`; nil where there is none, or an empty one.
    subscript(group: String, key: String) -> String? {
        values[group]?[key].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The file at `path`, as far as `limit` bytes; nil where it is none or no text.
    static func read(_ path: String, limit: Int = 1 << 16) -> DesktopFile? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0, let bytes = try? FileContents.read(OwnedDescriptor(file), limit: limit) else { return nil }
        return String(validating: bytes, as: UTF8.self).map(DesktopFile.init)
    }
}

extension Substring {
    /// Without blanks at its ends.
    var trimmed: String {
        var rest = self
        while rest.first == " " || rest.first == "\t" { rest.removeFirst() }
        while rest.last == " " || rest.last == "\t" { rest.removeLast() }
        return String(rest)
    }
}
