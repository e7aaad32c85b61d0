package import CredentialExchange
package import Importing

extension ImportFailure {
    /// What is told of an error.
    package init(_ error: ImportError) {
        self.init(
            Self.code(of: error.code), detail: error.detail, advice: error.advice, place: error.place,
            memory: error.memory.map(Int64.init))
    }

    private static func code(of code: ImportError.Code) -> Code {
        switch code {
        case .unknownFormat: .unknownFormat
        case .damaged: .damaged
        case .unsupported: .unsupported
        case .tooLarge: .tooLarge
        case .needsPassword: .needsPassword
        case .wrongPassword: .wrongPassword
        case .damagedKeyFile: .damagedKeyFile
        case .needsMemory: .needsMemory
        case .tooCostly: .tooCostly
        case .failed: .failed
        }
    }
}
