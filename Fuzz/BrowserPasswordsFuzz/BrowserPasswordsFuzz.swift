@testable import BrowserPasswords
import Importing
import KeywayCrypto
import KeywaySQLite
import SecretDocuments

/// Whatever the files of a profile hold, they are read or refused: databases, their logs, logins and what is encrypted.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzProfiles(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeRawBufferPointer(start: start, count: count)
    guard let first = bytes.first else { return 0 }
    let rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
    var leftOut = LeftOut()
    let take = { (event: ImportEvent) throws(ImportError) in
        if case .record(let record) = event { precondition(!record.place.isEmpty) }
    }
    switch first % 4 {
    case 0: rows(Array(rest), &leftOut, take)
    case 1:
        // A log, and in front of it the file that it belongs to.
        let half = rest.count / 2
        _ = DatabaseImage.whole(Array(rest[..<half]), log: Array(rest[half...]))
    case 2:
        try? FirefoxLogins.read(rest, &leftOut, take) { text in text.withUnsafeBytes { SecretBytes(copying: $0) } }
    default:
        if let login = EncryptedLogin(Array(rest)) {
            precondition(login.vector.count == login.cipher.blockCount)
            precondition(login.message.count % login.cipher.blockCount == 0)
        }
        if let text = try? ChromiumKeys(lines: nil).open(rest) { precondition(text.count <= rest.count) }
    }
    return 0
}

private func rows(
    _ image: [UInt8], _ leftOut: inout LeftOut, _ take: (ImportEvent) throws(ImportError) -> Void
) {
    guard let database = try? Database(image: DatabaseImage.whole(image, log: [])) else { return }
    try? ChromiumLogins.read(database, "Login Data", ChromiumKeys(lines: nil), &leftOut, take)
}
