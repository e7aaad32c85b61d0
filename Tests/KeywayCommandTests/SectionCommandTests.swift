import AutoFillWire
import CredentialExchange
import FoundationEssentials
import PasswordsProtocol
import Testing

@testable import KeywayCommand

/// `keyway passwords` and sections: listed by name also where nobody knows them, shown, removed.
struct SectionCommandTests {
    private let item = ItemSummary(
        id: "1-2-3", title: "Example", user: "ada", addresses: [], tags: [], created: 0, modified: 0,
        sections: [
            SectionSummary(number: 1, type: "credit-card", isReadable: true, title: "Visa"),
            SectionSummary(number: 4, type: "hologram", isReadable: false, title: nil),
        ])

    private func trial() -> Trial {
        var trial = Trial()
        trial.lines = ListedLines([])
        trial.service.on(VaultStatus.self) { _, _ in
            .init(access: .open, path: "/vault", items: 1, idleLimit: 600)
        }
        let item = item
        trial.service.on(ShowItem.self) { _, _ in
            .init(summary: item, password: nil, notes: nil, fields: [], history: [])
        }
        return trial
    }

    @Test func anItemNamesItsSectionsAlsoThoseThatNobodyKnows() async throws {
        let out = try await shown().run("passwords", "show", "Example").out
        #expect(out.contains("Section 1:  card “Visa”\n"))
        #expect(out.contains("Section 4:  hologram, written by a newer version of Keyway\n"))
        let json = try await shown().run("passwords", "show", "--json", "Example").out
        #expect(json.contains(#""type": "hologram""#) && json.contains(#""readable": false"#))
    }

    @Test func anItemIsShownWithAllThatIsInItsSectionsInWordsThatPeopleRead() async throws {
        let hidden = try await shown().run("passwords", "show", "Example").out
        #expect(hidden.contains("  Card number: (hidden;") && !hidden.contains("4111"))
        let open = try await shown().run("passwords", "show", "--reveal", "Example").out
        #expect(open.contains("  Card number: 4111\n") && open.contains("  Mail:"))
        let json = try await shown().run("passwords", "show", "--reveal", "--json", "Example").out
        #expect(json.contains(#""words": "Card number""#) && json.contains(#""value": "4111""#))
        #expect(try await !shown().run("passwords", "show", "--json", "Example").out.contains("4111"))
    }

    @Test(arguments: ["Card number", "number"])
    func aFieldOfASectionIsFoundByWhatItIsCalled(field: String) async throws {
        #expect(try await shown().run("passwords", "show", "--field", field, "Example").out == "4111\n")
        let missing = try await shown().run("passwords", "show", "--field", "none", "Example")
        #expect(missing.code == .notFound)
        #expect(missing.err.contains("Card number") && missing.err.contains("Mail"))
    }

    @Test func everyTypeAndEveryMemberOfCXFHasWordsForPeople() {
        for (type, members) in ExchangeSchema.members {
            #expect(SectionWords.kind(type.rawValue) != nil, "\(type)")
            for name in members.keys {
                let words = SectionWords.member(name, of: type.rawValue)
                #expect(words != name && words.first?.isUppercase == true, "\(type) \(name)")
            }
        }
    }

    private func shown() -> Trial {
        var trial = trial()
        let item = item
        trial.service.on(ShowSection.self) { parameters, _ in
            let value = { (text: String) in parameters.opens ? try Attachment.secret(text) : nil }
            return .init(
                item: item, section: SectionSummary(number: 1, type: "credit-card", isReadable: true, title: "Visa"),
                members: [
                    .init(name: "number", label: nil, isHidden: true, value: try value("4111")),
                    .init(name: "fields", label: "Mail", isHidden: false, value: try value("me@example.com")),
                    .init(name: "key", label: nil, isHidden: true, isText: false, value: nil),
                ], total: 5)
        }
        return trial
    }

    @Test func aSectionIsShownAloneAndItsValuesOnlyWhereTheyAreAskedFor() async throws {
        let hidden = try await shown().run("passwords", "show", "--section", "1", "Example").out
        #expect(hidden.contains("Section 1:  card “Visa”\n") && hidden.contains("  Card number: (hidden;"))
        #expect(!hidden.contains("4111") && hidden.contains("… and 2 more\n"))
        let open = try await shown().run("passwords", "show", "--section", "1", "--reveal", "Example").out
        #expect(open.contains("  Card number: 4111\n") && open.contains("  Mail:     me@example.com\n"))
        #expect(open.contains("  Key:      (not text; not shown)\n"))
    }

    @Test(arguments: [("Mail", "me@example.com\n"), ("number", "4111\n")])
    func oneFieldOfASectionIsPrinted(field: String, text: String) async throws {
        let line = ["passwords", "show", "--section", "1", "--field", field, "Example"]
        #expect(try await shown().run(line).out == text)
        #expect(
            try await shown().run("passwords", "show", "--section", "1", "--field", "cvc", "Example").code == .notFound)
    }

    @Test func anEditRemovesTheSectionsThatAreNamed() async throws {
        var trial = trial()
        let (removed, item) = (Received<[Int]?>(), item)
        trial.service.on(EditItem.self) { parameters, _ in
            removed.append(parameters.change.removedSections)
            return .init(item: item)
        }
        let line = ["passwords", "edit", "--remove-section", "4", "--remove-section", "1", "Example"]
        #expect(try await trial.run(line).code == .success)
        #expect(removed.all == [[4, 1]])
    }
}
