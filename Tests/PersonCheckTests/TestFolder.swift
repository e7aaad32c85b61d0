import AutoFillProtocol
import Foundation

/// A folder of a test's own, gone with it.
final class TestFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "keyway-person-check-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, to name: String, mode: Int = 0o644) throws {
        let file = path + "/" + name
        try Data(text.utf8).write(to: URL(filePath: file))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
    }
}

extension CheckTypedSecret.Outcome {
    /// Why no try was taken; nil where one was.
    var refusal: String? { if case .unavailable(let reason) = self { reason } else { nil } }
}

extension TypedSecretState.PIN {
    /// Why the record is not believed; nil where it is.
    var disbelief: String? { if case .disbelieved(let reason) = self { reason } else { nil } }
}
