import AutoFillWire
import PasswordsProtocol

/// What the commands of import and export say.
extension Strings {
    static func confirmExport(_ path: String) -> String {
        "\(path) won't be encrypted: whoever reads it has all your passwords, passkeys and one-time codes. Export the vault?"
    }
    static let nothingExported = "Nothing was exported."
    static func exported(_ count: Int, _ path: String) -> String {
        "Exported \(items(count)) to \(path). The file isn't encrypted. Delete it when you no longer need it."
    }
    static func leftOut(_ count: Int) -> String {
        count == 1 ? "1 thing couldn't be exported:" : "\(count) things couldn't be exported:"
    }
    static func loss(_ loss: ExportDocument.Loss) -> String {
        let user = loss.user.isEmpty ? "" : " (\(DisplayText.line(loss.user)))"
        return "“\(DisplayText.line(loss.title))”\(user): \(DisplayText.line(loss.reason))"
    }
}
