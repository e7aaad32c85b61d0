public import Foundation

/// A request to keep a password that the person used or made.
// SAFETY: every property is a constant of a Sendable type; the class is open as on Apple's systems, where it is Sendable.
open class ASSavePasswordRequest: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// Why the password should be kept.
    public enum Event: Int, Sendable {
        /// The person asked for it.
        case userInitiated = 0
        /// The form was sent, or is gone.
        case formDidDisappear = 1
        /// A generated password stands in a form that was not sent yet: an account that may come to be. One of the other
        /// events follows with the same ``ASSavePasswordRequest/sessionID``.
        case generatedPasswordFilled = 2
    }

    private let request: Request

    private struct Request: Sendable {
        let service: ASCredentialServiceIdentifier
        let credential: ASPasswordCredential
        let title: String?
        let sessionID: String
        let event: Event
        let kind: ASGeneratedPassword.Kind?
    }

    /// Asks to keep `credential`.
    public init(
        serviceIdentifier: ASCredentialServiceIdentifier, credential: ASPasswordCredential, sessionID: String,
        event: ASSavePasswordRequest.Event
    ) {
        request = Request(
            service: serviceIdentifier, credential: credential, title: nil, sessionID: sessionID, event: event,
            kind: nil)
        super.init()
    }

    /// Asks to keep `credential` under a title.
    public init(
        serviceIdentifier: ASCredentialServiceIdentifier, credential: ASPasswordCredential, title: String?,
        sessionID: String, event: ASSavePasswordRequest.Event
    ) {
        request = Request(
            service: serviceIdentifier, credential: credential, title: title, sessionID: sessionID, event: event,
            kind: nil)
        super.init()
    }

    /// Asks to keep `credential`, whose password was generated where `passwordKind` is not nil.
    public init(
        serviceIdentifier: ASCredentialServiceIdentifier, credential: ASPasswordCredential, sessionID: String,
        event: ASSavePasswordRequest.Event, passwordKind: ASGeneratedPassword.Kind?
    ) {
        request = Request(
            service: serviceIdentifier, credential: credential, title: nil, sessionID: sessionID, event: event,
            kind: passwordKind)
        super.init()
    }

    /// Asks to keep `credential` under a title; its password was generated where `passwordKind` is not nil.
    public init(
        serviceIdentifier: ASCredentialServiceIdentifier, credential: ASPasswordCredential, title: String?,
        sessionID: String, event: ASSavePasswordRequest.Event, passwordKind: ASGeneratedPassword.Kind?
    ) {
        request = Request(
            service: serviceIdentifier, credential: credential, title: title, sessionID: sessionID, event: event,
            kind: passwordKind)
        super.init()
    }

    /// Where the account is.
    open var serviceIdentifier: ASCredentialServiceIdentifier { request.service }

    /// User name and password.
    open var credential: ASPasswordCredential { request.credential }

    /// What this one credential is called, whatever the service is called.
    open var title: String? { request.title }

    /// The same for all requests about one form.
    open var sessionID: String { request.sessionID }

    /// Why the password should be kept.
    open var event: ASSavePasswordRequest.Event { request.event }

    /// How the password was generated; nil where it was not.
    open var passwordKind: ASGeneratedPassword.Kind? { request.kind }

    // MARK: Comparing, copying, coding

    /// Whether `object` asks for the same.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = (object as? ASSavePasswordRequest)?.request else { return false }
        return other.service == request.service && other.credential == request.credential
            && other.title == request.title && other.sessionID == request.sessionID && other.event == request.event
            && other.kind == request.kind
    }

    /// Agrees with ``isEqual(_:)``.
    open override var hash: Int { sessionID.hashValue }

    /// The same object: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// True.
    open class var supportsSecureCoding: Bool { true }

    /// Writes all properties, the password readable: what it is written to must be protected.
    open func encode(with coder: NSCoder) {
        coder.encode(request.service, forKey: "serviceIdentifier")
        coder.encode(request.credential, forKey: "credential")
        coder.encode(text: request.title, forKey: "title")
        coder.encode(text: request.sessionID, forKey: "sessionID")
        coder.encode(request.event.rawValue, forKey: "event")
        coder.encode(text: request.kind?.rawValue, forKey: "passwordKind")
    }

    /// Reads what ``encode(with:)`` wrote; nil when it is something else.
    public required init?(coder: NSCoder) {
        guard
            let service = coder.decodeObject(of: ASCredentialServiceIdentifier.self, forKey: "serviceIdentifier"),
            let credential = coder.decodeObject(of: ASPasswordCredential.self, forKey: "credential"),
            let sessionID = coder.decodeText(forKey: "sessionID"),
            let event = Event(rawValue: coder.decodeInteger(forKey: "event"))
        else { return nil }
        request = Request(
            service: service, credential: credential, title: coder.decodeText(forKey: "title"), sessionID: sessionID,
            event: event, kind: coder.decodeText(forKey: "passwordKind").map(ASGeneratedPassword.Kind.init(rawValue:)))
        super.init()
    }
}
