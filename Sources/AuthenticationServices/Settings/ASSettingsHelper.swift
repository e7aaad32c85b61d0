public import Foundation

/// Leads the person from a provider's app to the settings of the system.
///
/// Call it from the app which contains the extension, a program that the bundle's Info.plist names under
/// `KeywayApplications`. Settings are made in a terminal, by `keyway providers`; there is no window for them.
open class ASSettingsHelper: NSObject {
    /// There are class methods only.
    @available(*, unavailable, message: "ASSettingsHelper has class methods only.")
    public override init() {
        super.init()
    }

    // MARK: Opening the settings

    /// Opens the settings of credential providers.
    ///
    /// There is no window for them: `completionHandler` gets an ``ASAuthorizationError`` that says what to type instead.
    open class func openCredentialProviderAppSettings(completionHandler: (((any Error)?) -> Void)? = nil) {
        completionHandler?(noSettingsWindow)
    }

    /// Opens the settings of credential providers.
    ///
    /// - Throws: ``ASAuthorizationError``: there is no window for them; the error says what to type instead.
    open class func openCredentialProviderAppSettings() async throws {
        throw noSettingsWindow
    }

    /// Opens the settings of apps that provide verification codes.
    ///
    /// There is no window for them: `completionHandler` gets an ``ASAuthorizationError`` that says what to type instead.
    open class func openVerificationCodeAppSettings(completionHandler: (((any Error)?) -> Void)? = nil) {
        completionHandler?(noSettingsWindow)
    }

    /// Opens the settings of apps that provide verification codes.
    ///
    /// - Throws: ``ASAuthorizationError``: there is no window for them; the error says what to type instead.
    open class func openVerificationCodeAppSettings() async throws {
        throw noSettingsWindow
    }

    // MARK: Asking to be turned on

    /// Asks the person to turn on the provider whose app is calling; the result says whether it is on.
    ///
    /// True at once where it is on already. Otherwise `keyway providers list` shows the request, and the result comes
    /// when the person has decided, false after a minute. An app may ask once in ten seconds.
    open class func requestToTurnOnCredentialProviderExtension(
        completionHandler: @escaping @Sendable (Bool) -> Void
    ) {
        Task { completionHandler(await BrokerLink.process.requestToTurnOn()) }
    }

    /// Asks the person to turn on the provider whose app is calling; the result says whether it is on.
    ///
    /// True at once where it is on already. Otherwise `keyway providers list` shows the request, and the result comes
    /// when the person has decided, false after a minute. An app may ask once in ten seconds.
    @discardableResult
    open class func requestToTurnOnCredentialProviderExtension() async -> Bool {
        await BrokerLink.process.requestToTurnOn()
    }

    private static var noSettingsWindow: ASAuthorizationError {
        .notServed(
            .notHandled,
            "There is no window for these settings. In a terminal, `keyway providers list` shows what there is, and "
                + "`keyway providers enable` turns a provider on.")
    }
}
