/// What a program may hand to a context in place of asking for it.
public enum LACredentialType: Int, Sendable {
    /// A password of the program's own.
    case applicationPassword = 0
    /// A PIN of a smart card.
    case smartCardPIN = -3
}
