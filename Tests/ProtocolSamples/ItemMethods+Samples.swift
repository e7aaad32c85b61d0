import AutoFillProtocol
import AutoFillWire
package import PasswordsProtocol

extension SearchItems: DocumentedMethod {
    package static let summary =
        "Items whose title, user name, addresses or tags hold all the words; no secret is opened."
    package static var sample: (parameters: Parameters, result: Result) {
        (Parameters(text: "exam"), Result(items: [.sample], total: 1))
    }
}

extension MatchItems: DocumentedMethod {
    package static let summary = "Items with an address at one of the services, best first; no passkeys, none hidden."
    package static var sample: (parameters: Parameters, result: Result) {
        (Parameters(services: [ServiceIdentifier("example.com", kind: .domain)]), Result(items: [.sample]))
    }
}

extension ShowItem: DocumentedMethod {
    package static let summary = "One item with the secrets that were asked for; `notFound` names near matches."
    package static var sample: (parameters: Parameters, result: Result) {
        get throws {
            (
                Parameters(item: ItemName("Example"), parts: [.password]),
                Result(summary: .sample, password: try .sample(), notes: nil, fields: [], history: [])
            )
        }
    }
}

extension ShowSection: DocumentedMethod {
    package static let summary =
        "One section of an item, with its values where they are asked for (`opens`); keys, files and the secrets of codes "
        + "have none here."
    package static var sample: (parameters: Parameters, result: Result) {
        get throws {
            (
                Parameters(item: ItemName("Home"), section: 2, opens: true),
                Result(
                    item: .sample,
                    section: SectionSummary(number: 2, type: "wifi", isReadable: true, title: "Ada's network"),
                    members: [Member(name: "passphrase", label: nil, isHidden: true, value: try .sample())], total: 1)
            )
        }
    }
}

extension ReadFile: DocumentedMethod {
    package static let summary =
        "What is in a file of an item, named by its name or by the number of its section. It is handed out like a password."
    package static var sample: (parameters: Parameters, result: Result) {
        get throws {
            (
                Parameters(item: ItemName("Example"), file: "recovery codes.txt"),
                Result(item: .sample, section: .sampleFile, content: try .sample())
            )
        }
    }
}

extension AttachFile: DocumentedMethod {
    package static let summary =
        "Attaches a file of at most 64 MiB to an item, or says `exists` where it has one of that name."
    package static var sample: (parameters: Parameters, result: Result) {
        get throws {
            (
                Parameters(item: ItemName("Example"), name: "recovery codes.txt", content: try .sample()),
                Result(item: .sample, section: .sampleFile)
            )
        }
    }
}

extension SectionSummary {
    static let sampleFile = SectionSummary(
        number: 3, type: "file", isReadable: true, title: "recovery codes.txt", size: 812)
}

extension AddItem: DocumentedMethod {
    package static let summary = "Stores a new item; the answer comes when it would survive a power cut."
    package static var sample: (parameters: Parameters, result: Result) {
        get throws {
            var item = ItemChange()
            item.title = "Example"
            item.password = try .sample()
            return (Parameters(item: item), Result(item: .sample))
        }
    }
}

extension EditItem: DocumentedMethod {
    package static let summary = "Changes an item; a password that is replaced goes into its history."
    package static var sample: (parameters: Parameters, result: AddItem.Result) {
        var change = ItemChange()
        change.user = "ada"
        return (Parameters(item: ItemName("Example"), change: change), AddItem.Result(item: .sample))
    }
}

extension RemoveItem: DocumentedMethod {
    package static let summary = "Removes an item, its history included."
    package static var sample: (parameters: Parameters, result: AddItem.Result) {
        (Parameters(item: ItemName("Example")), AddItem.Result(item: .sample))
    }
}

extension KeepPassword: DocumentedMethod {
    package static let summary =
        "Keeps a password from a form: in the item of its account, or in a new one; `exists` where another would have to go."
    package static var sample: (parameters: Parameters, result: Result) {
        get throws {
            (
                Parameters(
                    service: ServiceIdentifier("https://example.com/join", kind: .url), user: "ada",
                    password: try .sample(), replaces: true),
                Result(outcome: .changed)
            )
        }
    }
}

extension GeneratePassword: DocumentedMethod {
    package static let summary = "A random password; needs no unlocked vault and stores nothing."
    package static var sample: (parameters: Parameters, result: Result) {
        get throws { (Parameters(), Result(password: try .sample())) }
    }
}
