import AutoFillWire
import CredentialExchange

/// What the commands of import and export say.
extension Strings {
    static func confirmExport(_ path: String) -> String {
        "\(path) won't be encrypted: whoever reads it has all your passwords, passkeys and one-time codes. Export the vault?"
    }
    static let nothingExported = "Nothing was exported."
    static func exported(_ count: Int, _ path: String, isEncrypted: Bool) -> String {
        let warning = isEncrypted ? "" : " The file isn't encrypted. Delete it when you no longer need it."
        return "Exported \(items(count)) to \(path).\(warning)"
    }
    static func writingFile(_ path: String) -> String { "Writing \(DisplayText.line(path))" }
    static func writerFailed(_ path: String, _ how: String) -> String {
        "\(path): the file couldn't be written (\(how))."
    }
    static func passwordOfNewFile(_ path: String) -> String { "Password for \(DisplayText.line(path))" }
    static let emptyPasswordOfNewFile = "The password can't be empty."
    static func formulas(_ count: Int) -> String {
        let cells = count == 1 ? "1 value begins" : "\(count) values begin"
        return
            "\(cells) as formulas do, and \(count == 1 ? "is" : "are") written unchanged: a spreadsheet would run them. Don't open the file in one."
    }
    static func formula(_ formula: ExportReport.Loss) -> String {
        let user = formula.user.isEmpty ? "" : " (\(DisplayText.line(formula.user)))"
        return "“\(DisplayText.line(formula.title))”\(user), in \(formula.reason)"
    }
    static func leftOut(_ count: Int) -> String {
        count == 1 ? "1 thing couldn't be exported:" : "\(count) things couldn't be exported:"
    }
    static func loss(_ loss: ExportReport.Loss) -> String {
        let user = loss.user.isEmpty ? "" : " (\(DisplayText.line(loss.user)))"
        return "“\(DisplayText.line(loss.title))”\(user): \(DisplayText.line(loss.reason))"
    }

    // MARK: Requests and their answers

    static let recipientIsMissing = "Name the request that the export answers: --to REQUEST."
    static let recipientIsForPackages = "Use --to and --fingerprint only with the format cxp."
    static func noRequest(_ path: String) -> String { "\(path) isn't a request for an export." }
    static func requestAsks(_ path: String, _ request: RequestSummary) -> String {
        let importer =
            request.importer.isEmpty
            ? "an unnamed program" : "“\(DisplayText.line(request.importer))” (as it says of itself)"
        let types = request.types.map { types in
            types.isEmpty ? "no items" : types.map(DisplayText.line).joined(separator: ", ")
        }
        return "\(DisplayText.line(path)) asks for \(types ?? "everything") on behalf of \(importer). "
            + "The export will be encrypted for its keys (\(DisplayText.line(request.encryption)))."
    }
    static func compareFingerprint(_ fingerprint: String) -> String {
        "The fingerprint of the request is \(fingerprint). Does the program that made it show the same?"
    }
    static let fingerprintByOption = "Compare the fingerprint in a terminal, or name it with --fingerprint."
    static func otherFingerprint(_ path: String) -> String {
        "\(path) has another fingerprint than you named. Somebody may have replaced it. Nothing was exported."
    }
    static let askForRequestAgain = "Get the request again, in another way, and compare its fingerprint."
    static func requested(_ path: String, _ fingerprint: String) -> String {
        "Wrote the request \(path). Its fingerprint is \(fingerprint). Give the file to the program that exports, and compare "
            + "the fingerprint there. Within a day, and before you log out, import the answer with `keyway import FILE`."
    }
    static let replaceRequest =
        "An earlier request still waits for its answer, which couldn't be opened any more. Make a new request?"
    static let nothingRequested = "No request was made."
    static func noRequestWaits(_ path: String) -> String {
        "\(path) answers a request, but none waits: its answer was imported, it is older than a day, or it was made elsewhere."
    }
    static let makeNewRequest = "Make a new request with `keyway import --request FILE`, and have that answered."
    static func otherAnswerWasOpened(_ path: String) -> String {
        "\(path) isn't the answer to your request that was opened first. A request gets one answer."
    }
    static func answerIsOpened(_ fingerprint: String) -> String {
        "Opened the answer to your request \(fingerprint). Nothing proves who wrote it: look at what is in it."
    }
    static func requestIsOpenToOthers(_ path: String) -> String {
        "The keys in \(path) can be read or written by others. Remove the file, and make a new request."
    }
    static let requestIsAlone = "Use --request without other files and options, --yes and --json aside."

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
