import AutoFillProtocol
import AutoFillWire
import BrokerBase

/// Whether what a bundle declares in `KeywaySandbox` can be granted at all.
struct SandboxJudge {
    /// The most entries of one key.
    static let maximumEntries = 32

    /// Nil where not even the home folder is known: then only the form is looked at.
    let folders: SandboxFolders?
    /// `CFBundleIdentifier` of the bundle.
    let identifier: String

    /// What is wrong, in a sentence that names the key; nil when nothing is.
    func problem(of declared: DeclaredSandbox) -> String? {
        problem(of: declared.readPaths, .readPaths, writes: false)
            ?? problem(of: declared.writePaths, .writePaths, writes: true)
            ?? problem(of: declared.sockets, .sockets, writes: false)
            ?? problem(ofPrograms: declared.programs)
    }

    private func problem(of texts: [String], _ key: PropertyListKey, writes: Bool) -> String? {
        guard texts.count <= Self.maximumEntries else { return Self.tooMany(key) }
        for text in texts {
            if let complaint = SandboxFolders.complaint(about: text) { return Self.sentence(key, text, complaint) }
            guard let folders, let path = folders.expand(text) else { continue }
            if let objection = folders.objection(to: path, writes: writes, of: identifier) {
                return Self.sentence(key, text, objection)
            }
        }
        return nil
    }

    /// A program is a plain name, to be found where the system's programs lie, or a path.
    private func problem(ofPrograms texts: [String]) -> String? {
        guard texts.count <= Self.maximumEntries else { return Self.tooMany(.programs) }
        for text in texts where !SystemProgram.isName(text) {
            if let complaint = SandboxFolders.complaint(about: text) {
                return Self.sentence(.programs, text, complaint)
            }
            guard let folders, let path = folders.expand(text) else { continue }
            if let objection = folders.objection(to: path, writes: false, of: identifier) {
                return Self.sentence(.programs, text, objection)
            }
        }
        return nil
    }

    /// The sentence about one entry.
    static func sentence(_ key: PropertyListKey, _ text: String, _ clause: String) -> String {
        "KeywaySandbox.\(key.rawValue): `\(DisplayText.line(text))` \(clause)."
    }

    private static func tooMany(_ key: PropertyListKey) -> String {
        "KeywaySandbox.\(key.rawValue) has more than \(maximumEntries) entries."
    }
}

/// A program that is named without its folder.
enum SystemProgram {
    private static let folders = ["/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"]

    /// Whether the text is a plain name.
    static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 255 && !text.hasPrefix(".") && !text.hasPrefix("~") && !text.hasPrefix("$")
            && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "/") }
    }

    /// Where the system's program of that name lies; nil when there is none.
    static func path(of name: String) -> String? {
        folders.map { "\($0)/\(name)" }.first { ProgramFile(path: $0) != nil }
    }
}
