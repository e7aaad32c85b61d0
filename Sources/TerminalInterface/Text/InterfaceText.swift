/// All texts of the presenter, in one place for translation.
enum InterfaceText {
    /// Between who asks and the service that it asks for.
    static let forService = " for "
    static let beingDebugged = " (being debugged)"
    static let search = "Search"
    static let cancel = "Cancel"
    static let working = "Working…"
    static let nothingFound = "Nothing found."
    static let nothingHere = "There are no accounts."
    static let move = "move"
    static let choose = "choose"
    static let nextField = "next field"
    static let scroll = "scroll"
    static let plainNumber = "Number (press Enter to cancel): "
    static let plainNumberOrWords = "Number, or words to search for (press Enter to cancel): "
    static let plainNoSuchNumber = "That number isn't in the list."
    static let plainYes: Set<Unicode.Scalar> = ["y", "Y"]
    static let yes = "yes"
    static let no = "no"
    static let yesOrNo = "[y/N]"

    static func position(_ number: Int, of count: Int) -> String { "\(number) of \(count)" }
}
