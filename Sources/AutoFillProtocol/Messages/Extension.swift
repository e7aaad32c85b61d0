package import AutoFillWire

/// One request to the extension of a provider, as the API makes it.
package enum PerformRequest: RemoteMethod {
    /// Which entry of `ASCredentialProviderViewController` is called.
    package enum Request: Codable, Hashable, Sendable {
        /// `provideCredentialWithoutUserInteraction(for:)`: no interface is allowed.
        case provideWithoutInteraction(CredentialRequest)
        /// `prepareInterfaceToProvideCredential(for:)`.
        case provideWithInteraction(CredentialRequest)
        /// `prepareCredentialList(for:)`, or `prepareCredentialList(for:requestParameters:)` with `passkeys`.
        case list([ServiceIdentifier], passkeys: PasskeyRequestParameters?)
        /// `prepareOneTimeCodeCredentialList(for:)`.
        case oneTimeCodeList([ServiceIdentifier])
        /// `prepareInterfaceForUserChoosingTextToInsert()`.
        case textToInsert
        /// `performWithoutUserInteractionIfPossible(passkeyRegistration:)`: no interface, then or later.
        case registerPasskeyWithoutInteraction(PasskeyRegistration)
        /// `prepareInterface(forPasskeyRegistration:)`.
        case registerPasskey(PasskeyRegistration)
        /// `performWithoutUserInteractionIfPossible(savePasswordRequest:)`: no interface is allowed.
        case savePasswordWithoutInteraction(PasswordToSave)
        /// `prepareInterface(for: ASSavePasswordRequest)`.
        case savePassword(PasswordToSave)
        /// `performWithoutUserInteraction(generatePasswordsRequest:)`: no interface is allowed.
        case generatePasswordsWithoutInteraction(PasswordsToGenerate)
        /// `prepareInterface(for: ASGeneratePasswordsRequest)`.
        case generatePasswords(PasswordsToGenerate)
        /// `prepareInterface(for: KeywayCodeSetup)`: the person has agreed, and says where it is kept.
        case setUpCode(CodeToSetUp)
        /// One of the `report…` methods: answered when it returned.
        case report(CredentialReport)
        /// `prepareInterfaceForExtensionConfiguration()`.
        case configuration
    }

    /// One credential that is wanted.
    package struct CredentialRequest: Codable, Hashable, Sendable {
        /// Which.
        package let identity: CredentialIdentity
        /// What a passkey is to sign; nil for other kinds.
        package let assertion: PasskeyAssertion?
        /// Whether the system verified the person for this request before it asked. A provider states "user verified"
        /// only if this says so, or if it verified the person itself in this request.
        package let isPersonVerified: Bool?

        /// Asks for the credential of `identity`.
        package init(
            identity: CredentialIdentity, assertion: PasskeyAssertion? = nil, isPersonVerified: Bool? = nil
        ) {
            self.identity = identity
            self.assertion = assertion
            self.isPersonVerified = isPersonVerified
        }
    }

    package struct Parameters: Codable, Hashable, Sendable {
        /// What is asked.
        package let request: Request

        /// Asks for `request`.
        package init(request: Request) {
            self.request = request
        }
    }

    /// How the extension ended the request.
    package enum Result: Codable, Hashable, Sendable {
        /// `completeRequest(withSelectedCredential:)`: the password is a sealed memory file.
        case password(user: String, password: Attachment)
        /// `completeAssertionRequest(using:)`.
        case passkeyAssertion(PasskeyAssertionCredential)
        /// `completeRegistrationRequest(using:)`.
        case passkeyRegistration(PasskeyRegistrationCredential)
        /// `completeOneTimeCodeRequest(using:)`: a sealed memory file, and when the code changes, in seconds since 1970;
        /// nil where nobody says.
        case oneTimeCode(Attachment, validUntil: Double? = nil)
        /// `completeRequest(withTextToInsert:)`: a sealed memory file.
        case text(Attachment)
        /// `completeSavePasswordRequest()`, or `completeCodeSetup()`.
        case saved
        /// `completeGeneratePasswordRequest(results:)`.
        case generated([ProposedPassword])
        /// A `report…` method returned.
        case reported
        /// `cancelRequest(withError:)`: the error's domain and code, and the text for the person where it has one.
        case cancelled(domain: String, code: Int, reason: String?)
        /// `completeExtensionConfigurationRequest()`.
        case configured
    }

    package static let name = "extension.perform"
    package static let callers: Set<Role> = [.broker]
}

/// What the extension wants shown for the request that it answers.
package enum ExtensionPresent: RemoteNotification {
    package struct Parameters: Codable, Hashable, Sendable {
        /// The id of the `extension.perform` request.
        package let request: Int
        /// What to draw.
        package let interface: ProviderInterface

        /// An interface for `request`.
        package init(request: Int, interface: ProviderInterface) {
            self.request = request
            self.interface = interface
        }
    }

    package static let name = "extension.present"
    package static let callers: Set<Role> = [.providerExtension, .providerApplication]
}

/// What the person did with the interface of a provider.
package enum ExtensionEvent: RemoteNotification {
    package struct Parameters: Codable, Sendable {
        /// The id of the `extension.perform` request.
        package let request: Int
        /// What happened.
        package let event: InterfaceEvent

        /// `event` in the interface of `request`.
        package init(request: Int, event: InterfaceEvent) {
            self.request = request
            self.event = event
        }
    }

    package static let name = "extension.event"
    package static let callers: Set<Role> = [.broker]
}
