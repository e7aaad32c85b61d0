/// What the commands say of one-time codes.
extension Strings {
    static let codeLink = "Link (otpauth:) or secret for one-time codes"
    static let codeOrPicture = "Use either --code or --code-image, not both."
    static let codeTooLong = "The link is too long for a QR code."
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
