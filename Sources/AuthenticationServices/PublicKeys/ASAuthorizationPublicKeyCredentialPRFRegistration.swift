public import CryptoKit

/// Asks whether a new passkey can derive secrets, and for some at once.
public struct ASAuthorizationPublicKeyCredentialPRFRegistrationInput: Hashable, Sendable {
    /// One or two inputs.
    public typealias InputValues = ASAuthorizationPublicKeyCredentialPRFAssertionInput.InputValues

    /// The inputs to derive from at once.
    public let inputValues: InputValues?
    /// Whether it is only asked if the passkey could.
    public let shouldCheckForSupport: Bool

    /// Asks for secrets or for support.
    package init(inputValues: InputValues?, shouldCheckForSupport: Bool) {
        self.inputValues = inputValues
        self.shouldCheckForSupport = shouldCheckForSupport
    }

    /// Asks for secrets derived from `inputValues`.
    public static func inputValues(_ inputValues: InputValues) -> Self {
        Self(inputValues: inputValues, shouldCheckForSupport: false)
    }

    /// Asks whether the passkey could.
    public static var checkForSupport: Self { Self(inputValues: nil, shouldCheckForSupport: true) }
}

/// Whether a new passkey can derive secrets, and those that it derived at once.
public struct ASAuthorizationPublicKeyCredentialPRFRegistrationOutput: Equatable, Sendable {
    /// Whether it can.
    public let isSupported: Bool
    /// What became of the first input; nil where there was none.
    public let first: SymmetricKey?
    /// What became of the second.
    public let second: SymmetricKey?

    /// The answer to a request with inputs.
    public init(first: SymmetricKey, second: SymmetricKey?) {
        isSupported = true
        self.first = first
        self.second = second
    }

    private init(isSupported: Bool) {
        self.isSupported = isSupported
        first = nil
        second = nil
    }

    /// It can.
    public static var supported: Self { Self(isSupported: true) }
    /// It cannot.
    public static var unsupported: Self { Self(isSupported: false) }
}
