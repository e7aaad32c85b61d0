package import CredentialExchange
package import ExchangePackages
import OtherCiphers
package import SecretDocuments

/// Why a file couldn't be imported: a code to compare, what is wrong and where, and what to do about it.
package struct ImportError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure, which are also what the reader tells.
    package typealias Code = ImportFailure.Code

    /// What kind of failure this is.
    package let code: Code
    /// What is wrong, in words; no content.
    package let detail: String
    /// Where it is wrong, where that is known.
    package let place: DocumentPlace?
    /// How much memory deriving the key takes, in bytes, where that is what to ask the person.
    package let memory: Int?

    /// Makes an error; `detail` must not hold content.
    package init(_ code: Code, _ detail: String, _ place: DocumentPlace? = nil, memory: Int? = nil) {
        self.code = code
        self.detail = detail
        self.place = place
        self.memory = memory
    }

    init(_ error: DocumentError) {
        let isTooLarge = error.code == .tooLarge || error.code == .tooDeep
        self.init(isTooLarge ? .tooLarge : .damaged, error.detail, error.place)
    }

    init(_ error: OtherCipherError) {
        switch error.code {
        case .tooCostly: self.init(.tooCostly, error.detail)
        case .needsMemory: self.init(.needsMemory, error.detail, memory: error.memory)
        case .invalidParameter: self.init(.damaged, "the file describes its key wrongly")
        case .outOfMemory: self.init(.failed, "the computer has not the memory that the key takes")
        case .failed: self.init(.failed, "the file couldn't be decrypted")
        }
    }

    /// What a failure of a message of the exchange protocol means.
    package init(_ error: ExchangePackageError) {
        let code: Code =
            switch error.code {
            case .damaged, .notOffered: .damaged
            case .unsupported: .unsupported
            case .tooLarge: .tooLarge
            case .otherKey: .otherRequest
            case .failed: .failed
            }
        self.init(code, error.detail, error.place)
    }

    init(_ error: ExchangeError) {
        switch error.code {
        case .notExchange: self.init(.unknownFormat, error.detail, error.place)
        case .unknownVersion: self.init(.unsupported, error.detail, error.place)
        case .tooLarge: self.init(.tooLarge, error.detail, error.place)
        case .unreadable, .invalidCredential: self.init(.damaged, error.detail, error.place)
        }
    }

    /// Two errors are the same when their codes are.
    package static func == (left: ImportError, right: ImportError) -> Bool { left.code == right.code }

    /// What is wrong and where, in one line.
    package var description: String { place?.saying(detail) ?? detail }

    /// What a person can do.
    package var advice: String {
        switch code {
        case .unknownFormat: "Export the passwords again, in a format that Keyway reads."
        case .damaged: "Export the passwords again. If the file was edited, use the original."
        case .unsupported: "Export the passwords again, without encryption or with a password of its own."
        case .tooLarge: "Export the passwords in several parts."
        case .needsPassword: "Enter the password that the file was exported with."
        case .wrongPassword: "Try the password that the file was exported with."
        case .damagedKeyFile: "Choose the key file again, or a copy of it from a backup."
        case .needsMemory: "Close other programs, and allow the memory."
        case .tooCostly: "Lower the settings of its encryption in the other program, and export it again."
        case .needsRequestKeys:
            "Make a request with `keyway import --request FILE`, and have the other program answer it."
        case .otherRequest:
            "Make a new request with `keyway import --request FILE`, and have the other program answer it."
        case .failed: "Try again."
        }
    }
}

/// Something of a file that is left out, and why; no content.
package struct SkippedEntry: Sendable, Equatable {
    /// Where it stands: `line 12`, `item 3`.
    package let place: String
    /// Why it is left out, in words.
    package let reason: String

    /// An entry that is left out.
    package init(place: String, reason: String) {
        self.place = place
        self.reason = reason
    }
}
