package import CredentialExchange
package import Importing

extension ImportFailure {
    /// What is told of an error.
    package init(_ error: ImportError) {
        self.init(
            error.code, detail: error.detail, advice: error.advice, place: error.place,
            memory: error.memory.map(Int64.init))
    }

    /// The same, with other advice than for files.
    package init(_ error: ImportError, advice: String) {
        self.init(error.code, detail: error.detail, advice: advice, place: error.place)
    }
}
