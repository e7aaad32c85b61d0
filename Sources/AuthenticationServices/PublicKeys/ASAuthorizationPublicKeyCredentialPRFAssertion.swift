public import CryptoKit

/// Asks for secrets that a passkey derives from inputs while it signs in.
public struct ASAuthorizationPublicKeyCredentialPRFAssertionInput: Hashable, Sendable {
    /// One or two inputs, as the relying party gave them.
    public struct InputValues: Hashable, Sendable {
        /// The first.
        public var saltInput1: Data
        /// The second.
        public var saltInput2: Data?

        /// One or two inputs.
        public init(saltInput1: Data, saltInput2: Data? = nil) {
            self.saltInput1 = saltInput1
            self.saltInput2 = saltInput2
        }

        /// One or two inputs.
        public static func saltInput1(_ saltInput1: Data, saltInput2: Data? = nil) -> InputValues {
            InputValues(saltInput1: saltInput1, saltInput2: saltInput2)
        }
    }

    /// The inputs for a passkey that ``perCredentialInputValues`` does not name.
    public let inputValues: InputValues?
    /// The inputs for passkeys by their identifiers.
    public let perCredentialInputValues: [Data: InputValues]?

    /// Asks with inputs of either kind.
    package init(inputValues: InputValues?, perCredentialInputValues: [Data: InputValues]?) {
        self.inputValues = inputValues
        self.perCredentialInputValues = perCredentialInputValues
    }

    /// Asks with inputs for any passkey, and others for those named.
    public static func inputValues(
        _ inputValues: InputValues, perCredentialInputValues: [Data: InputValues]? = nil
    ) -> Self {
        Self(inputValues: inputValues, perCredentialInputValues: perCredentialInputValues)
    }

    /// Asks with inputs for the passkeys named, and none for others.
    public static func perCredentialInputValues(_ perCredentialInputValues: [Data: InputValues]) -> Self {
        Self(inputValues: nil, perCredentialInputValues: perCredentialInputValues)
    }
}

/// The secrets that a passkey derived: the same for the same passkey and inputs. Not meant to be stored.
public struct ASAuthorizationPublicKeyCredentialPRFAssertionOutput: Equatable, Sendable {
    /// What became of the first input.
    public let first: SymmetricKey
    /// What became of the second.
    public let second: SymmetricKey?

    /// What became of one or two inputs.
    public init(first: SymmetricKey, second: SymmetricKey?) {
        self.first = first
        self.second = second
    }
}
