import AutoFillProtocol
import AutoFillWire
import KeywaySystem

/// What came of one request.
struct Answer: Sendable {
    /// How it ended.
    enum Ending: Sendable {
        /// The extension answered.
        case result(PerformRequest.Result)
        /// The answer was an error, or could not be read.
        case error(ProtocolError)
        /// Nothing came in time.
        case silence
        /// The extension ended instead.
        case death(String)
    }

    /// How it ended.
    let ending: Ending
    /// What was shown while it ran.
    let interfaces: [ProviderInterface]
    /// Whether the person backed out because nothing led on.
    let wasGivenUp: Bool

    /// The result, where there was one.
    var result: PerformRequest.Result? {
        guard case .result(let result) = ending else { return nil }
        return result
    }

    /// The code of `ASExtensionError` with which the extension ended the request; nil for another ending.
    var extensionCode: Int? {
        guard case .cancelled(domain: ExtensionCode.domain, let code, reason: _) = result else { return nil }
        return code
    }

    /// What happened, in words; never a secret.
    var description: String {
        let shown = interfaces.isEmpty ? "" : " after \(interfaces.count) interface(s)"
        switch ending {
        case .result(let result): return Self.describe(result) + shown
        case .error(let error): return "an error answer (\(error.code.rawValue): \(error.message))" + shown
        case .silence: return "no answer in time" + shown
        case .death(let how): return "the extension ended instead of answering (\(how))" + shown
        }
    }

    private static func describe(_ result: PerformRequest.Result) -> String {
        switch result {
        case .password: "a password"
        case .passkeyAssertion: "a signature with a passkey"
        case .passkeyRegistration: "a new passkey"
        case .oneTimeCode: "a one-time code"
        case .text: "a text"
        case .saved: "“saved”"
        case .generated(let passwords): "\(passwords.count) generated password(s)"
        case .reported: "“reported”"
        case .configured: "“configured”"
        case .cancelled(ExtensionCode.domain, let code, let reason):
            "the error “\(ExtensionCode.name(code))”" + (reason.map { " (\(DisplayText.line($0)))" } ?? "")
        case .cancelled(let domain, let code, _): "the error \(code) of \(DisplayText.line(domain))"
        }
    }
}

/// The codes of `ASExtensionError`.
enum ExtensionCode {
    static let domain = "ASExtensionErrorDomain"
    static let failed = 0
    static let userCanceled = 1
    static let userInteractionRequired = 100
    static let credentialIdentityNotFound = 101
    static let matchedExcludedCredential = 102

    /// What the API calls a code.
    static func name(_ code: Int) -> String {
        switch code {
        case failed: "failed"
        case userCanceled: "userCanceled"
        case userInteractionRequired: "userInteractionRequired"
        case credentialIdentityNotFound: "credentialIdentityNotFound"
        case matchedExcludedCredential: "matchedExcludedCredential"
        default: "code \(code)"
        }
    }
}
