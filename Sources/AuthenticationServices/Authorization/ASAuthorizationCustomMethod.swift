/// A way to sign in that the application brings itself and the system lists.
public struct ASAuthorizationCustomMethod: RawRepresentable, Hashable, Sendable {
    /// What the method is called between application and system.
    public let rawValue: String

    /// The method called `rawValue`.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The account at a company that sells television.
    public static let videoSubscriberAccount = Self(rawValue: "videoSubscriberAccount")
    /// What was bought before.
    public static let restorePurchase = Self(rawValue: "restorePurchase")
    /// Any other.
    public static let other = Self(rawValue: "other")
}
