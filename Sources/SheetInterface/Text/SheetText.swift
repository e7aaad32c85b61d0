/// What the sheets themselves say: each case is the English text, and the key of the catalogues (`Resources/*.po`).
/// A word in braces is replaced.
package enum SheetText: String, CaseIterable, Sendable {
    case cancel = "Cancel"
    case search = "Search"
    case forSite = "for {site}"
    case windowForSite = "{provider} for {site}"
    case setUp = "set up"
    case windowSetUp = "Set up {provider}"
    case shownFor = "Shown by Keyway for {identifier}"
    case askedByKeyway = "Asked by Keyway itself"
    case nothingFound = "No Results Found"
    case nothingHere = "Nothing to Choose From"
    case working = "Working…"

    case consentTitle = "Allow “{program}” to use Keyway?"
    case program = "Program"
    case startedBy = "Started by"
    case profile = "Profile"
    case programKnown = "Your system vouches for this program"
    case programUnknown = "Nobody vouches for this program"
    case programUnknownDetail = "Another one could look the same. Allow it only if you have just started it."
    case seeAccounts = "See which accounts you have for the sites it names"
    case receiveCredentials = "Receive the passwords and codes that you pick"
    case changeProviders = "Turn providers on and off"
    case useService = "Read and change everything in your password manager"
    case allow = "Allow"
    case refuse = "Don’t Allow"

    case verifyTitle = "Confirm that it is you"
    case verifyAccount = "The account {account} of {provider} is about to be used."
    case verifyAccountForSite = "The account {account} of {provider} is about to be used for {site}."
    case verifyForSite = "{provider} is about to be used for {site}."
    case verifyProvider = "{provider} wants to know that it is you."
    case verifyReason = "{provider} says what for: {reason}"
    case verifyElsewhere = "Answer in the window of your system"
    case touchSensor = "Lay your finger on the sensor"
    case pinLabel = "Keyway PIN"
    case loginPasswordLabel = "Password of your login"
    case masterPasswordLabel = "Master password"
    case verify = "Confirm"

    case otherSiteTitle = "Use the account of another site?"
    case otherSite = "This account was saved for {other}. {site} would get its password or code."
    case unknownSite = "{provider} does not say which site this is for. {site} would get its password or code."
    case account = "Account"
    case savedFor = "Saved for"
    case wouldGoTo = "Would go to"
    case provider = "Provider"

    case passkeySignIn = "Sign in to {site} with a passkey"
    case passkeyCreation = "Where should the passkey for {site} be kept?"
    case passkeyAccount = "for the account {account}"
    case passkeyOwner = "a passkey of {owner}"
    case anotherDevice = "Another device"
    case anotherDeviceDetail = "A security key, a phone, or what your browser keeps"

    case enablingTitle = "Turn on “{provider}”?"
    case enabling = "It would give your sign-ins to the programs that you allowed. Beside its own folders it reaches:"
    case enablingFreely = "It would give your sign-ins to the programs that you allowed."
    case identifier = "Identifier"
    case folder = "Folder"
    case reachesNothing = "Nothing else"
    case more = "And {number} more"
    case unconfined = "This machine cannot confine it"
    case unconfinedDetail = "It could read and change everything that you can."

    // What the broker says in these very words (`brokers`).
    case wrongPIN = "That is not the PIN of Keyway."
    case wrongLoginPassword = "That is not the password of your login."
    case wrongMasterPassword = "That is not the master password of {provider}."
    case unknownFinger = "That finger is not known."
    case unreadFinger = "The finger could not be read. Lay it on once more."
    case toChangeRules = "to change when you are verified"
    case toSetPIN = "to set the PIN of Keyway"
    case toRemovePIN = "to remove the PIN of Keyway"
    case changesPaths = "read and change {paths}"
    case readsPaths = "read {paths}"
    case talksWith = "talk with {paths}"
    case runs = "run {paths}"
    case usesNetwork = """
        use the network: the internet, what programs of this machine offer on it (localhost), and, before Linux 6.12, \
        the session's sockets that are no files
        """

    /// What the broker says, of those that begin alike the longest first.
    package static let brokers: [SheetText] = [
        .wrongPIN, .wrongLoginPassword, .wrongMasterPassword, .unknownFinger, .unreadFinger, .toChangeRules, .toSetPIN,
        .toRemovePIN, .changesPaths, .readsPaths, .talksWith, .runs, .usesNetwork,
    ]
}
