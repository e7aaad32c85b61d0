import CredentialExchange
import HybridEncryption
package import SecretDocuments
import ZipArchives

/// Why a message of the Credential Exchange Protocol couldn't be read or written: a code to compare, and what is wrong; no
/// content.
package struct ExchangePackageError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure.
    package enum Code: Sendable, Equatable, CaseIterable {
        /// It is no such message, or isn't whole.
        case damaged
        /// It is of a version, or needs algorithms, that Keyway doesn't know.
        case unsupported
        /// It, or a part of it, is larger than is read.
        case tooLarge
        /// It isn't encrypted for the keys that there are, or was changed on its way.
        case otherKey
        /// It is encrypted in a way that was not asked for.
        case notOffered
        /// A library did not do what it was asked.
        case failed
    }

    /// What kind of failure this is.
    package let code: Code
    /// What is wrong, in words.
    package let detail: String
    /// Where it is wrong, where that is known.
    package let place: DocumentPlace?

    /// Makes an error; `detail` must not hold content.
    package init(_ code: Code, _ detail: String, _ place: DocumentPlace? = nil) {
        self.code = code
        self.detail = detail
        self.place = place
    }

    init(_ error: DocumentError) {
        let isTooLarge = error.code == .tooLarge || error.code == .tooDeep
        self.init(isTooLarge ? .tooLarge : .damaged, error.detail, error.place)
    }

    init(_ error: ExchangeError) {
        self.init(error.code == .tooLarge ? .tooLarge : .damaged, error.detail, error.place)
    }

    init(_ error: ZipError) {
        switch error.code {
        case .damaged, .forbidden: self.init(.damaged, error.detail)
        case .tooLarge: self.init(.tooLarge, error.detail)
        case .unsupported: self.init(.unsupported, error.detail)
        case .failed: self.init(.failed, error.detail)
        }
    }

    init(_ error: HybridEncryptionError) {
        switch error.code {
        case .invalidKey: self.init(.damaged, "its key is none that anything can be encrypted for")
        case .notForThisKey: self.init(.otherKey, "it isn't encrypted for this key")
        case .exportsOnly, .exhausted, .failed: self.init(.failed, "it couldn't be encrypted or decrypted")
        }
    }

    /// What is wrong and where, in one line.
    package var description: String { place?.saying(detail) ?? detail }

    /// Two errors are the same when their codes are.
    package static func == (left: ExchangePackageError, right: ExchangePackageError) -> Bool {
        left.code == right.code
    }
}

/// Runs what may fail in several ways, and tells all of them as failures of a message.
func asPackage<Result>(_ body: () throws -> Result) throws(ExchangePackageError) -> Result {
    do {
        return try body()
    } catch let error as ExchangePackageError {
        throw error
    } catch let error as DocumentError {
        throw ExchangePackageError(error)
    } catch let error as ExchangeError {
        throw ExchangePackageError(error)
    } catch let error as ZipError {
        throw ExchangePackageError(error)
    } catch let error as HybridEncryptionError {
        throw ExchangePackageError(error)
    } catch {
        throw ExchangePackageError(.failed, "it couldn't be read or written")
    }
}
