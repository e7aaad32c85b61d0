import AutoFillWire
import CodeLinks

/// What the commands say of one-time codes.
extension Strings {
    static let codeLink = "Link (otpauth:) or secret for one-time codes"
    static let codeOrPicture = "Use either --code or --code-image, not both."
    static let codeTooLong = "The link is too long for a QR code."
    static func outputNeedsQR(_ option: String) -> String { "Use --output and --force only with \(option)." }
    static let forceNeedsOutput = "Use --force only with --output."
    static func fileExists(_ path: String) -> String { "\(path) already exists. Nothing was written." }
    static let replaceByForce = "To replace it, add --force."
    static func noFileToReplace(_ path: String) -> String { "\(path) isn't a file that can be replaced." }
    static func cannotWrite(_ path: String, _ why: String) -> String { "Couldn't write \(path): \(why)." }
    static func keepsItsCodes(_ provider: String) -> String {
        "\(provider) doesn't reveal what this code is made from; only Passwords does."
    }
    static let oneNewCode = "Use --code to replace the code or --add-code to add one, not both."
    static let linkToOpen = "Link (otpauth:) for one-time codes"
    static let addIsAlone = "Use --add without --user, --record and --qr."
    static func keepsCodes(_ provider: String, of setup: CodeSetup) -> String {
        let names = [setup.issuer, setup.account].filter { !$0.isEmpty }.map(DisplayText.line)
        return names.isEmpty
            ? "\(provider) keeps the one-time codes."
            : "\(provider) keeps the one-time codes for \(names.joined(separator: ", "))."
    }
    static func keptCodes(_ kept: Int, of all: Int) -> String { "\(kept) of the link's \(all) accounts were set up." }
    static let qrIsAlone = "--code-qr can't be combined with --field, --reveal or --history."
    static let cutPicture = "Crop the picture so that it shows only the QR code you want."
    static func noPicture(_ path: String) -> String { "\(path) isn't a PNG or JPEG picture, or it is too large." }
    static func pictureHasNoCode(_ path: String) -> String { "There is no QR code for one-time codes in \(path)." }
    static func pictureHasSeveralCodes(_ path: String) -> String {
        "There are several QR codes for one-time codes in \(path)."
    }
    static func pictureTooHard(_ path: String) -> String { "Reading \(path) took too long." }
    static func pictureFailed(_ how: String) -> String { "The picture couldn't be read (\(how))." }
    static func cannotOpen(_ path: String, _ why: String) -> String { "Couldn't open \(path): \(why)." }
    static func whatTheQRCodeIs(_ title: String) -> String {
        "Anyone who photographs this QR code can generate the one-time codes for \(title) from then on."
    }
}
