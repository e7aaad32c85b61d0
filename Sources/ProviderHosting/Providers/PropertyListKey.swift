/// Every key of a bundle's `Info.plist` that the broker reads. Keys that are not here mean nothing to it.
///
/// A value of another type than is written here is a problem of the bundle, which names the key.
enum PropertyListKey: String, CodingKey, CaseIterable, Sendable {
    // MARK: The bundle

    /// String: names the bundle, and the file of its identities.
    case identifier = "CFBundleIdentifier"
    /// String: what people call it.
    case name = "CFBundleName"
    /// String: what people call it, before `CFBundleName`.
    case displayName = "CFBundleDisplayName"
    /// String: its release, for people.
    case version = "CFBundleShortVersionString"
    /// String: the extension's program, a file of the bundle's folder.
    case executable = "CFBundleExecutable"
    /// Array of strings: the activities that it can continue. One that takes imports lists the credential exchange.
    case userActivityTypes = "NSUserActivityTypes"
    /// String: why it wants the person verified, for whoever draws the question.
    case verificationPurpose = "NSFaceIDUsageDescription"
    /// String: the program of the long-running half, a file of the bundle's folder.
    case service = "KeywayService"
    /// String: the program that continues activities, a file of the bundle's folder.
    case activityProgram = "KeywayActivityProgram"
    /// Boolean: the service runs as long as the provider is on, and not only from the first time it is needed.
    case serviceRunsAlways = "KeywayServiceRunsAlways"
    /// Boolean: the service checks what the person typed as its master password (`service.checkMasterPassword`).
    case checksMasterPassword = "KeywayChecksMasterPassword"
    /// Boolean: the service asks before it hands something out to a program in a terminal (`service.permit`). Of one that
    /// does not, whoever is connected to it was judged for all of it.
    case asksPermission = "KeywayServiceAsksPermission"
    /// String: what to type when a caller without an interface must wait.
    case interactionCommand = "KeywayInteractionCommand"
    /// Array of strings: programs that count as the app which contains the extension.
    case applications = "KeywayApplications"
    /// String: the name of the folder that app, extension and service share.
    case group = "KeywayGroup"

    // MARK: The sandbox

    /// Dictionary: what the bundle reaches beside its own folders.
    case sandbox = "KeywaySandbox"
    /// Array of strings, in the sandbox: files and folders that it reads.
    case readPaths = "ReadPaths"
    /// Array of strings, in the sandbox: files and folders that it reads and changes.
    case writePaths = "WritePaths"
    /// Array of strings, in the sandbox: Unix sockets, or folders of them, that it connects to.
    case sockets = "Sockets"
    /// Array of strings, in the sandbox: programs outside of the bundle that it runs, or folders of them.
    case programs = "Programs"
    /// Boolean, in the sandbox: whether it uses the network.
    case network = "Network"
    /// Boolean, in the sandbox: whether the broker hands it connections to the bus of the system.
    case systemBus = "SystemBus"

    // MARK: The extension

    /// Dictionary: what follows.
    case providerExtension = "NSExtension"
    /// String: must be ``InfoPropertyList/extensionPoint``.
    case extensionPoint = "NSExtensionPointIdentifier"
    /// String: the controller's class. The program names it by itself here, so the value is only checked.
    case principalClass = "NSExtensionPrincipalClass"
    /// String: takes the place of `NSExtensionPrincipalClass`; there are no storyboards here, so it is only checked.
    case mainStoryboard = "NSExtensionMainStoryboard"
    /// Dictionary: what follows.
    case attributes = "NSExtensionAttributes"
    /// String, in the attributes: as `NSExtensionPrincipalClass`.
    case viewControllerClass = "ASCredentialProviderViewControllerClass"
    /// Boolean, in the attributes or beside them: the older spelling of `ShowsConfigurationUI`, which wins over it.
    case showsConfigurationUIBefore2023 = "ASCredentialProviderExtensionShowsConfigurationUI"

    // MARK: Its capabilities

    /// Dictionary, in the attributes: the keys below, each false where it is missing. A bundle without the dictionary
    /// provides passwords and nothing else.
    case capabilities = "ASCredentialProviderExtensionCapabilities"
    /// Boolean: suggestions and lists of passwords.
    case providesPasswords = "ProvidesPasswords"
    /// Boolean: passkeys are suggested, listed and registered.
    case providesPasskeys = "ProvidesPasskeys"
    /// Boolean: it is asked for its interface when it is turned on.
    case showsConfigurationUI = "ShowsConfigurationUI"
    /// Boolean: suggestions and lists of one-time codes.
    case providesOneTimeCodes = "ProvidesOneTimeCodes"
    /// Boolean, of Keyway's own: it is offered links that set one-time codes up; counts with `ProvidesOneTimeCodes` only.
    case setsUpOneTimeCodes = "KeywaySetsUpOneTimeCodes"
    /// Boolean: it is asked for any text.
    case providesTextToInsert = "ProvidesTextToInsert"
    /// Boolean: it is asked for passkeys in the background; counts with `ProvidesPasskeys` only.
    case supportsConditionalPasskeyRegistration = "SupportsConditionalPasskeyRegistration"
    /// Boolean: it can give its credentials to another provider, and take them.
    case supportsCredentialExchange = "SupportsCredentialExchange"
    /// Array of strings: the versions of the exchange that it takes; `1.0` where it is missing.
    case supportedCredentialExchangeVersions = "SupportedCredentialExchangeVersions"
    /// Boolean: it is told what became of credentials.
    case supportsCredentialUpdate = "SupportsCredentialUpdate"
    /// Boolean: it is offered passwords to keep.
    case supportsSavePasswordCredentials = "SupportsSavePasswordCredentials"
    /// Boolean: it is asked for new passwords; counts with `SupportsSavePasswordCredentials` only.
    case supportsGeneratePasswordCredentials = "SupportsGeneratePasswordCredentials"
    /// Boolean, true where it is missing: it has an interface for that.
    case supportsGeneratePasswordCredentialsWithUI = "SupportsGeneratePasswordCredentialsWithUI"
}
