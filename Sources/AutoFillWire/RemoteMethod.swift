/// What a peer says it is. A role may call its own short list of methods and nothing else.
package enum Role: String, Codable, CaseIterable, Sendable {
    /// `keyway`, in the terminal of the person.
    case terminal
    /// `keyway-browser-host`, for one browser.
    case browser
    /// The extension of a provider, which answers requests.
    case providerExtension
    /// The long-running half of a provider.
    case providerService
    /// Whoever the broker connected to a provider's service.
    case serviceClient
    /// An application: the app of a provider's bundle.
    case application
    /// The app of a provider's bundle, as the broker started it to continue an activity.
    case providerApplication
    /// `keyway-sheets`, which draws for the person on a graphical session.
    case sheets
    /// `keyway-person-check`, which looks at what the person typed.
    case personCheck
    /// The broker itself.
    case broker
}

/// A request with an answer: its name on the wire, the roles that may call it, its parameters and its result.
package protocol RemoteMethod: Sendable {
    /// What the caller sends as `params`.
    associatedtype Parameters: Codable & Sendable
    /// What the caller receives as `result`.
    associatedtype Result: Codable & Sendable

    /// The method's name on the wire.
    static var name: String { get }
    /// The roles that may call it; anyone else gets `notAllowed`.
    static var callers: Set<Role> { get }
}

/// A message without an answer. Those of one connection are handled in the order in which they were sent.
package protocol RemoteNotification: Sendable {
    /// What the sender sends as `params`.
    associatedtype Parameters: Codable & Sendable

    /// The notification's name on the wire.
    static var name: String { get }
    /// The roles that may send it; from anyone else it is dropped.
    static var callers: Set<Role> { get }
}

/// The parameters or the result of a method that has none: `{}`.
package struct Nothing: Codable, Hashable, Sendable {
    /// Nothing.
    package init() {}
}
