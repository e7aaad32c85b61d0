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

    // MARK: Between providers

    static let exchangeNeedsTerminal = "Both providers ask you what to do."
    static let exchangeInWindow = "Run the command in a terminal, or add --window."
    static func exchanged(_ exporter: String, _ handed: Int?, _ destination: String, _ stored: Int?) -> String {
        let (exporter, destination) = (DisplayText.line(exporter), DisplayText.line(destination))
        let what = handed.map(items) ?? "its accounts"
        let end = stored.map { ", which stored \($0)" } ?? ""
        return "\(exporter) handed \(what) over to \(destination)\(end). Nothing was deleted."
    }
    static func notCarried(_ count: Int, by provider: String) -> String {
        let provider = DisplayText.line(provider)
        return count == 1 ? "1 remark from \(provider):" : "\(count) remarks from \(provider):"
    }
    static func exchangeNotice(_ item: String, _ reason: String) -> String {
        item.isEmpty ? DisplayText.line(reason) : "“\(DisplayText.line(item))”: \(DisplayText.line(reason))"
    }
    static let exchangeUndo = "To take this import back, run: keyway import --undo"
}
