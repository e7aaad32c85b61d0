import AutoFillWire
import PasswordsProtocol

extension Strings {
    static func attached(_ file: SectionSummary, _ item: String) -> String {
        "Attached to “\(DisplayText.line(item))”: \(section(file))."
    }
    static func savedFile(_ file: SectionSummary, _ path: String) -> String {
        "Saved \(section(file)) to \(DisplayText.line(path)). It isn't encrypted there."
    }
    static func removedFile(_ file: SectionSummary, _ item: String) -> String {
        "Removed from “\(DisplayText.line(item))”: \(section(file))."
    }
    static func confirmRemoval(of file: SectionSummary, _ item: String) -> String {
        "Remove \(section(file)) from “\(DisplayText.line(item))”? You can't get it back."
    }
    static func noSuchFile(_ file: String, _ item: String) -> String {
        "“\(DisplayText.line(item))” has no file “\(DisplayText.line(file))”."
    }
    static func severalFiles(_ file: String) -> String {
        "Several files of the item are called “\(DisplayText.line(file))”."
    }
    static func filesAre(_ files: [SectionSummary], numbered: Bool = false) -> String {
        guard !files.isEmpty else { return "The item has no files." }
        let names = files.map { numbered ? "\($0.number)" : DisplayText.line($0.title ?? "\($0.number)") }
        return (numbered ? "Name one by its section: " : "Its files: ") + names.joined(separator: ", ") + "."
    }
    static func filesTooLarge(_ bytes: Int) -> String {
        "What is attached in these files has more than \(SectionWords.size(bytes)). Import fewer of them at once."
    }
    static func noFileToAttach(_ path: String) -> String {
        "\(DisplayText.line(path)) isn't a file, so it can't be attached."
    }
    static func fileTooLarge(_ path: String, _ bytes: Int) -> String {
        "\(DisplayText.line(path)) has \(SectionWords.size(bytes)). "
            + "The vault takes files of up to \(SectionWords.size(AttachFile.longest))."
    }
}
