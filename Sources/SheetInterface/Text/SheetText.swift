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
    case seeAccounts = "See which accounts you have for the sites it names"
    case receiveCredentials = "Receive the passwords and codes that you pick"
    case changeProviders = "Turn providers on and off"
    case useService = "Read and change everything in your password manager"
    case allow = "Allow"
    case refuse = "Don’t Allow"

    case verifyTitle = "Confirm that it is you"
    case verifyAccount = "The account {account} of {provider} is about to be used."
    case verifyAccountForSite = "The account {account} of {provider} is about to be used for {site}."
    case verifyElsewhere = "Answer in the window of your system"
    case touchSensor = "Lay your finger on the sensor"
    case pinLabel = "Keyway PIN"
    case loginPasswordLabel = "Password of your login"
    case verify = "Confirm"
}
