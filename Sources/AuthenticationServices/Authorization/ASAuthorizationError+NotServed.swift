import Foundation

extension ASAuthorizationError {
    /// The error of a call that ended so; `description` is for the person.
    static func ended(_ code: Code, _ description: String) -> ASAuthorizationError {
        ASAuthorizationError(code, userInfo: [NSLocalizedDescriptionKey: description])
    }

    /// The error of a call that was not served; `description` is for the person.
    static func notServed(_ code: Code, _ description: String) -> ASAuthorizationError {
        ended(code, description)
    }
}
