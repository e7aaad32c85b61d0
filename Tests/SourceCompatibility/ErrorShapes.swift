import AuthenticationServices

/// How providers make errors, and read them.
enum ErrorShapes {
    static let made: [any Error] = [
        ASExtensionError(.failed),
        ASExtensionError(ASExtensionError.Code.userCanceled),
        ASExtensionError(.failed, userInfo: [NSLocalizedDescriptionKey: "Sync first."]),
        NSError(domain: ASExtensionErrorDomain, code: ASExtensionError.userInteractionRequired.rawValue),
        NSError(domain: ASExtensionErrorDomain, code: ASExtensionError.Code.failed.rawValue, userInfo: nil),
        NSError(domain: ASExtensionError.errorDomain, code: ASExtensionError.credentialIdentityNotFound.rawValue),
    ]

    /// The name of an error, by every way of reading one.
    static func name(_ error: any Error) -> String {
        do {
            throw error
        } catch ASExtensionError.userCanceled {
            return "canceled"
        } catch ASExtensionError.failed {
            return "failed"
        } catch let error as ASExtensionError where error.code == .userInteractionRequired {
            return "locked"
        } catch let error as ASExtensionError {
            return "extension \(error.errorCode)"
        } catch let error as ASCredentialIdentityStoreError {
            switch error.code {
            case .storeBusy: return "busy"
            case .storeDisabled: return "off"
            case .internalError: return "internal"
            @unknown default: return "store"
            }
        } catch let error as ASAuthorizationError where error.code == .canceled {
            return "backed out"
        } catch {
            let error = error as NSError
            return "\(error.domain) \(error.code)"
        }
    }

    static func isCancellation(_ error: (any Error)?) -> Bool {
        (error as? ASExtensionError)?.code == .userCanceled || (error as NSError?)?.code == 1
    }
}
