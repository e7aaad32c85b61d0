import OtherCiphers

/// Why a database couldn't be read or written: a code to compare, and what is wrong; nothing of its content.
package struct KeePassError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure.
    package enum Code: Sendable, Equatable, CaseIterable {
        /// It is no database, or damaged.
        case damaged
        /// It is of a version, or encrypted in a way, that is not read.
        case unsupported
        /// It, or what is packed in it, is larger than is read.
        case tooLarge
        /// Its key takes more computing than is ever done for a file.
        case tooCostly
        /// Its key takes more memory than the caller allows, and not more than it may allow.
        case needsMemory
        /// The password is another, or the key file is.
        case wrongKey
        /// What was given as a key file is none.
        case damagedKeyFile
        /// A library did not do what it was asked.
        case failed
    }

    /// What kind of failure this is.
    package let code: Code
    /// What is wrong, in words; no content.
    package let detail: String
    /// How much memory the key takes, in bytes, where that is what is wrong.
    package let memory: Int?

    init(_ code: Code, _ detail: String, memory: Int? = nil) {
        self.code = code
        self.detail = detail
        self.memory = memory
    }

    init(_ error: OtherCipherError) {
        switch error.code {
        case .outOfMemory: self.init(.failed, "the computer has not the memory that the key takes")
        case .invalidParameter: self.init(.damaged, "the database has a key or a vector of a wrong length")
        case .tooCostly: self.init(.tooCostly, error.detail)
        case .needsMemory: self.init(.needsMemory, error.detail, memory: error.memory)
        case .failed: self.init(.failed, "the database couldn't be decrypted")
        }
    }

    static let failed = KeePassError(.failed, "a library failed")
    static let damaged = KeePassError(.damaged, "the database is damaged")
    static let cut = KeePassError(.damaged, "the database ends too early")

    /// Two errors are the same when their codes are.
    package static func == (left: KeePassError, right: KeePassError) -> Bool { left.code == right.code }

    /// What is wrong.
    package var description: String { detail }
}
