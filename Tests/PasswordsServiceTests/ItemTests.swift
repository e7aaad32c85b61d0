import AutoFillWire
import KeywaySystem
import PasswordsProtocol
import Testing

@testable import PasswordsService

/// Items through the whole service.
@Suite struct ItemTests {
    let harness: TestService

    init() throws { harness = try TestService() }

    @Test func givesBackWhatWasStored() async throws {
        let terminal = try await harness.withVault()
        let added = try await terminal.add("Example") {
            $0.user = "ada"
            $0.password = try sealed("hunter2")
            $0.addresses = ["https://example.com/login", " example.org "]
            $0.notes = try sealed("käse\n\tline")
            $0.tags = ["work"]
            $0.fields = [
                CustomField(name: "PIN", isHidden: true, value: try sealed("1234")),
                CustomField(name: "Colour", isHidden: false, value: try sealed("blue")),
            ]
        }
        #expect(added.addresses == ["https://example.com/login", "example.org"])
        let shown = try await terminal.show(ItemName(added.id), [.password, .notes, .fields, .history])
        #expect(shown.summary == added)
        #expect(try opened(shown.password) == "hunter2")
        #expect(try opened(shown.notes) == "käse\n\tline")
        #expect(
            try shown.fields.map { [$0.name, try opened($0.value) ?? ""] } == [["PIN", "1234"], ["Colour", "blue"]])
        #expect(shown.fields.map(\.isHidden) == [true, false] && shown.history.isEmpty)
    }

    @Test func opensOnlyWhatWasAskedFor() async throws {
        let terminal = try await harness.withVault()
        try await terminal.add("Example") {
            $0.password = try sealed("hunter2")
            $0.fields = [CustomField(name: "PIN", isHidden: true, value: try sealed("1234"))]
        }
        let shown = try await terminal.show(ItemName("Example"))
        #expect(shown.password == nil && shown.notes == nil && shown.history.isEmpty)
        #expect(shown.fields.map(\.name) == ["PIN"] && shown.fields[0].value == nil)
    }

    @Test func keepsTenPasswordsOfTheHistoryInSight() async throws {
        let terminal = try await harness.withVault()
        try await terminal.add("Example") { $0.password = try sealed("p0") }
        for number in 1...12 {
            _ = try await terminal.edit(ItemName("Example")) { $0.password = try sealed("p\(number)") }
        }
        let shown = try await terminal.show(ItemName("example"), [.password, .history])
        #expect(try opened(shown.password) == "p12")
        #expect(try shown.history.map { try opened($0.password) } == (2...11).reversed().map { "p\($0)" })
    }

    @Test func anEditLeavesTheRestAsItIs() async throws {
        let terminal = try await harness.withVault()
        let added = try await terminal.add("Example") {
            $0.user = "ada"
            $0.tags = ["work"]
            $0.password = try sealed("hunter2")
        }
        let edited = try await terminal.edit(ItemName(added.id)) { $0.title = "Renamed" }
        #expect(edited.id == added.id && edited.title == "Renamed" && edited.user == "ada" && edited.tags == ["work"])
        #expect(try opened(try await terminal.show(ItemName("Renamed"), [.password]).password) == "hunter2")
    }

    @Test func aRemovedItemIsGone() async throws {
        let terminal = try await harness.withVault()
        try await terminal.add("Example")
        _ = try await terminal.call(RemoveItem.self, .init(item: ItemName("EXAMPLE")))
        #expect(await code { _ = try await terminal.show(ItemName("Example")) } == .notFound)
        #expect(try await terminal.search().isEmpty)
    }

    @Test func survivesLockAndUnlock() async throws {
        let terminal = try await harness.withVault()
        try await terminal.add("Example") { $0.password = try sealed("hunter2") }
        try await terminal.lock()
        try await terminal.unlock()
        #expect(try opened(try await terminal.show(ItemName("Example"), [.password]).password) == "hunter2")
    }

    @Test func searchesInPages() async throws {
        let terminal = try await harness.withVault()
        for number in 0..<5 { try await terminal.add("Item \(number)") }
        let page = try await terminal.call(SearchItems.self, .init(text: "item", limit: 2, offset: 3))
        #expect(page.items.map(\.title) == ["Item 3", "Item 4"] && page.total == 5)
        #expect(try await terminal.call(SearchItems.self, .init(text: "", limit: 2, offset: 9)).items.isEmpty)
    }

    @Test(arguments: [0, 1001, -1])
    func refusesPagesOutOfBounds(limit: Int) async throws {
        let terminal = try await harness.withVault()
        #expect(
            await code { _ = try await terminal.call(SearchItems.self, .init(text: "", limit: limit)) }
                == .invalidParameters)
    }
}

/// Which item a name means.
@Suite struct ItemLookupTests {
    let harness: TestService

    init() throws { harness = try TestService() }

    @Test func aTitleThatSeveralHaveNamesTheUsers() async throws {
        let terminal = try await harness.withVault()
        try await terminal.add("Example") { $0.user = "ada" }
        try await terminal.add("example") { $0.user = "bob" }
        let refusal = await message { _ = try await terminal.show(ItemName("Example")) }
        #expect(refusal.contains("2 items") && refusal.contains("“ada”") && refusal.contains("“bob”"))
        #expect(await code { _ = try await terminal.show(ItemName("Example")) } == .ambiguous)
        #expect(try await terminal.show(ItemName("Example", user: "bob")).summary.user == "bob")
        #expect(await code { _ = try await terminal.show(ItemName("Example", user: "eve")) } == .notFound)
    }

    @Test func itemsThatAreAlikeAreToldApartByIdentifier() async throws {
        let terminal = try await harness.withVault()
        let first = try await terminal.add("Example") { $0.user = "ada" }
        try await terminal.add("Example") { $0.user = "ada" }
        let refusal = await message { _ = try await terminal.show(ItemName("Example", user: "ada")) }
        #expect(refusal.contains(first.id))
        #expect(try await terminal.show(ItemName(first.id)).summary.id == first.id)
    }

    @Test(arguments: [("Githup", "GitHub"), ("hub", "GitHub"), ("gitlab.example", "Forge")])
    func whatIsNotThereNamesWhatIsNear(text: String, expected: String) async throws {
        let terminal = try await harness.withVault()
        try await terminal.add("GitHub")
        try await terminal.add("Forge") { $0.addresses = ["https://gitlab.example/"] }
        let refusal = await message { _ = try await terminal.show(ItemName(text)) }
        #expect(refusal.contains("Did you mean “\(expected)”?"))
    }

    @Test func whatIsFarFromEverythingNamesNothing() async throws {
        let terminal = try await harness.withVault()
        try await terminal.add("GitHub")
        let refusal = await message { _ = try await terminal.show(ItemName("Bank")) }
        #expect(refusal == "There is no item “Bank”.")
    }

    @Test(arguments: [("kitten", "sitting", 3), ("", "abc", 3), ("same", "same", 0)])
    func countsTheLettersThatDiffer(left: String, right: String, expected: Int) {
        #expect(EditDistance.between(Array(left), Array(right), limit: 3) == expected)
        #expect(expected == 0 || EditDistance.between(Array(left), Array(right), limit: expected - 1) == nil)
    }
}

/// What an item may hold: over it the field is named, and nothing is stored.
@Suite struct ItemBoundsTests {
    enum Excess: String, CaseIterable, Sendable {
        case noTitle, emptyTitle, longTitle, lineBreak, longUser, manyAddresses, longAddress, manyTags, longNotes
        case manyFields, fieldWithoutValue, longPassword, passwordThatIsNoText

        var field: String {
            switch self {
            case .noTitle, .emptyTitle, .longTitle, .lineBreak: "title"
            case .longUser: "user name"
            case .manyAddresses, .longAddress: "address"
            case .manyTags: "tag"
            case .longNotes: "notes"
            case .manyFields, .fieldWithoutValue: "field"
            case .longPassword, .passwordThatIsNoText: "password"
            }
        }

        func apply(to item: inout ItemChange) throws {
            item.title = "Example"
            switch self {
            case .noTitle: item.title = nil
            case .emptyTitle: item.title = " \t "
            case .longTitle: item.title = String(repeating: "t", count: 301)
            case .lineBreak: item.title = "two\nlines"
            case .longUser: item.user = String(repeating: "u", count: 301)
            case .manyAddresses: item.addresses = (0...50).map { "a\($0).example" }
            case .longAddress: item.addresses = ["https://example.com/" + String(repeating: "a", count: 2000)]
            case .manyTags: item.tags = (0...50).map { "t\($0)" }
            case .longNotes: item.notes = try sealed(String(repeating: "n", count: (1 << 20) + 1))
            case .manyFields:
                item.fields = try (0...40).map { .init(name: "f\($0)", isHidden: true, value: try sealed("v")) }
            case .fieldWithoutValue: item.fields = [.init(name: "f", isHidden: true, value: nil)]
            case .longPassword: item.password = try sealed(String(repeating: "p", count: (16 << 10) + 1))
            case .passwordThatIsNoText: item.password = Attachment(try SealedMemory(latin1: [0x70, 0xe4]))
            }
        }
    }

    @Test(arguments: Excess.allCases)
    func namesTheField(excess: Excess) async throws {
        let harness = try TestService()
        let terminal = try await harness.withVault()
        let failure = await message { _ = try await terminal.add("Example") { try excess.apply(to: &$0) } }
        #expect(failure.contains(excess.field))
        #expect(await code { _ = try await terminal.add("E") { try excess.apply(to: &$0) } } == .invalidParameters)
        #expect(try await terminal.search().isEmpty)
    }

    @Test func takesExactlyAsMuchAsIsAllowed() async throws {
        let harness = try TestService()
        let terminal = try await harness.withVault()
        try await terminal.add(String(repeating: "ä", count: 300)) {
            $0.addresses = (0..<50).map { "a\($0).example" }
            $0.notes = try sealed(String(repeating: "n", count: 1 << 20))
            $0.fields = try (0..<40).map { .init(name: "f\($0)", isHidden: true, value: try sealed("v")) }
        }
        let shown = try await terminal.show(ItemName(String(repeating: "ä", count: 300)), [.notes, .fields, .history])
        #expect(try shown.notes?.sealedMemory().count == 1 << 20 && shown.fields.count == 40)
    }

    @Test func aDescriptorThatIsNoMemoryFileIsNoSecret() async throws {
        let harness = try TestService()
        let terminal = try await harness.withVault()
        let (end, _) = try LocalSocket.pair()
        #expect(await code { _ = try await terminal.add("E") { $0.password = Attachment(end) } } == .invalidParameters)
    }
}

extension SealedMemory {
    init(latin1 bytes: [UInt8]) throws {
        self = try bytes.withUnsafeBytes { try SealedMemory(copying: $0) }
    }
}

@Suite struct GeneratedPasswordTests {
    let harness: TestService

    init() throws { harness = try TestService() }

    private func generate(_ parameters: GeneratePassword.Parameters) async throws -> String {
        let client = try harness.connect()
        return try opened(try await client.call(GeneratePassword.self, parameters).password) ?? ""
    }

    @Test(arguments: [(true, true), (true, false), (false, true), (false, false)])
    func holdsTheKindsThatWereAskedFor(digits: Bool, symbols: Bool) async throws {
        for length in [8, 20, 256] {
            let password = try await generate(.init(length: length, digits: digits, symbols: symbols))
            #expect(password.count == length)
            #expect(password.contains { $0.isLowercase } && password.contains { $0.isUppercase })
            #expect(password.contains { $0.isNumber } == digits)
            #expect(password.contains { !$0.isNumber && !$0.isLetter } == symbols)
        }
    }

    @Test func isAnotherEachTime() async throws {
        let first = try await generate(.init())
        #expect(try await generate(.init()) != first)
    }

    @Test(arguments: [7, 257, -1, 0])
    func hasEightToTwoHundredFiftySixCharacters(length: Int) async throws {
        #expect(await code { _ = try await generate(.init(length: length)) } == .invalidParameters)
    }
}
