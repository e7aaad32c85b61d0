package import CredentialExchange
package import Importing

extension ImportFailure {
    /// What is told of an error.
    package init(_ error: ImportError) {
        self.init(
            error.code, detail: error.detail, advice: error.advice, place: error.place,
            memory: error.memory.map(Int64.init))
    }
}
