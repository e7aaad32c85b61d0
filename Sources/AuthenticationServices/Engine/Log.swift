import Foundation

/// What an extension says to the journal: never a secret, never a user name or a service.
enum Log {
    /// Writes one line to standard error, behind the program's name.
    static func line(_ text: String) {
        let line = "\(ProcessInfo.processInfo.processName): \(text)\n"
        try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
    }
}
