/// What the commands say of one-time codes.
extension Strings {
    static let codeLink = "Link (otpauth:) or secret for one-time codes"
    static let codeOrPicture = "Give the code with either --code or --code-image."
    static let codeTooLong = "The link is too long for a QR code."
    static let qrIsAlone = "Use --code-qr without --field, --reveal and --history."
    static let cutPicture = "Cut the picture so that it shows only the QR code for one-time codes."
    static func noPicture(_ path: String) -> String { "\(path) isn't a PNG or JPEG picture, or it is too large." }
    static func pictureHasNoCode(_ path: String) -> String { "There is no QR code for one-time codes in \(path)." }
    static func pictureHasSeveralCodes(_ path: String) -> String {
        "There are several QR codes for one-time codes in \(path)."
    }
    static func pictureTooHard(_ path: String) -> String { "Reading \(path) takes too long." }
    static func pictureFailed(_ how: String) -> String { "The picture couldn't be read (\(how))." }
    static func cannotOpen(_ path: String, _ why: String) -> String { "\(path) can't be opened: \(why)." }
    static func whatTheQRCodeIs(_ title: String) -> String {
        "Whoever photographs this QR code can make the one-time codes of \(title), now and later."
    }
}
