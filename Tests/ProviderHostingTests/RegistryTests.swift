import BrokerTestSupport
import Foundation
import KeywaySystem
import Testing

@testable import ProviderHosting

@Suite struct InfoPropertyListTests {
    private static var list: [String: Any] {
        [
            "CFBundleIdentifier": "test.one", "CFBundleName": "One", "CFBundleExecutable": "extension",
            "NSExtension": [
                "NSExtensionPointIdentifier": InfoPropertyList.extensionPoint,
                "NSExtensionAttributes": [
                    "ASCredentialProviderExtensionCapabilities": [
                        "ProvidesPasswords": true, "ShowsConfigurationUI": true,
                    ]
                ],
            ],
            "UnknownKey": ["x": 1],
        ]
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func readsBothForms(format: PropertyListSerialization.PropertyListFormat) throws {
        let data = try PropertyListSerialization.data(fromPropertyList: Self.list, format: format, options: 0)
        let list = try InfoPropertyList(bytes: Array(data))
        #expect(list.identifier == "test.one")
        #expect(list.capabilities.showsConfigurationUI)
    }

    @Test(arguments: [
        "", "<plist>", "<?xml version=\"1.0\"?><plist><dict><key>CFBundleIdentifier</key></dict></plist>",
        "<?xml version=\"1.0\"?><plist><array/></plist>", "bplist00", "bplist00\u{0}\u{0}\u{0}\u{0}",
        "<?xml version=\"1.0\"?><plist><dict><key>CFBundleIdentifier</key><integer>1</integer></dict></plist>",
        "<!DOCTYPE x [<!ENTITY a \"b\"><!ENTITY c \"&a;&a;\">]><plist><string>&c;</string></plist>",
    ])
    func damagedListIsAnErrorAndNoCrash(text: String) {
        #expect(throws: ProtocolError(.damaged, "")) { try InfoPropertyList(bytes: Array(text.utf8)) }
    }

    /// The decoder itself would overrun its stack.
    @Test(arguments: ["<array>", "<dict><key>x</key>", "<!-- </array> --><array >", "{a=", "("])
    func deepNestingIsRefused(opening: String) {
        for head in ["", "<?xml version=\"1.0\"?><plist version=\"1.0\">"] {
            let bytes = Array((head + String(repeating: opening, count: 50_000)).utf8)
            #expect(throws: ProtocolError(.damaged, "")) { try InfoPropertyList(bytes: bytes) }
            let wide: [UInt8] = bytes.flatMap { [$0, 0] }
            #expect(throws: ProtocolError(.damaged, "")) { try InfoPropertyList(bytes: [0xFF, 0xFE] + wide) }
        }
    }

    @Test func deepestListThatIsTakenIsDecoded() {
        let head = "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>x</key>"
        let count = PropertyListForm.maximumContainers - 1
        let text = head + String(repeating: "<array>", count: count) + String(repeating: "</array>", count: count)
        #expect(throws: Never.self) { try InfoPropertyList(bytes: Array((text + "</dict></plist>").utf8)) }
    }

    @Test func manyEmptyElementsAreNoNesting() throws {
        let items = String(repeating: "<dict/><array/>", count: 1000)
        let text = "<?xml version=\"1.0\"?><plist><dict><key>x</key><array>\(items)</array></dict></plist>"
        #expect(try InfoPropertyList(bytes: Array(text.utf8)).identifier == nil)
    }

    @Test func everyTruncationIsAnErrorOrAList() throws {
        for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
            let data = try PropertyListSerialization.data(fromPropertyList: Self.list, format: format, options: 0)
            for count in 0..<data.count { _ = try? InfoPropertyList(bytes: Array(data.prefix(count))) }
        }
    }

    @Test func everyChangedByteOfABinaryListIsAnErrorOrAList() throws {
        let data = try PropertyListSerialization.data(fromPropertyList: Self.list, format: .binary, options: 0)
        for index in data.indices {
            for change in [0x01, 0x80, 0xFF] as [UInt8] {
                var changed = Array(data)
                changed[index] ^= change
                _ = try? InfoPropertyList(bytes: changed)
            }
        }
    }
}

@Suite struct ProviderRegistryTests {
    private let folder: TemporaryFolder
    private let registry: ProviderRegistry

    init() throws {
        folder = try TemporaryFolder()
        let environment = [
            "HOME": folder.path, "XDG_DATA_HOME": folder.path + "/user",
            "XDG_DATA_DIRS": "\(folder.path)/first:\(folder.path)/second",
        ]
        registry = ProviderRegistry(
            folders: try KeywayPaths(environment: environment) { !$0.hasSuffix("user/keyway/providers") }
                .providerFolders,
            state: folder.path, seal: .opened(), examiner: BundleExaminer())
    }

    private func install(_ name: String, in root: String, _ information: [String: String] = [:]) throws {
        try TestBundle.install(in: folder, information, name: name, root: root)
    }

    @Test func whatIsOnAndGoneIsNamed() async throws {
        for name in ["one", "two"] { try install(name, in: "user") }
        for name in ["one", "two"] { _ = try await registry.set("test.\(name)", isEnabled: true) }
        #expect(try await registry.missing() == [])
        try FileManager.default.removeItem(atPath: folder.path + "/user/keyway/providers/one.appex")
        #expect(try await registry.missing() == ["test.one"])
        try install("one", in: "user")
        #expect(try await registry.missing() == [])
    }

    @Test func nothingIsEnabledUntilThePersonSaysSo() async throws {
        try install("one", in: "user")
        #expect(try await registry.snapshot().bundles.map(\.reference.identifier) == ["test.one"])
        #expect(try await registry.snapshot().enabled.isEmpty)
        _ = try await registry.set("test.one", isEnabled: true)
        #expect(try await registry.snapshot().enabled.map(\.reference.identifier) == ["test.one"])
        _ = try await registry.set("test.one", isEnabled: false)
        #expect(try await registry.snapshot().enabled.isEmpty)
    }

    @Test func systemComesBeforeUserAndFirstBeforeSecond() async throws {
        for root in ["user", "second", "first"] { try install("one", in: root) }
        let bundles = try await registry.snapshot().bundles
        let valid = bundles.filter { $0.problem == nil }
        #expect(valid.map(\.path) == ["\(folder.path)/first/keyway/providers/one.appex"])
        #expect(valid.first?.scope == .system)
        #expect(bundles.count == 3)
    }

    @Test func brokenBundleOfTheSystemKeepsItsIdentifier() async throws {
        try install("one", in: "first", ["CFBundleExecutable": "missing"])
        try install("one", in: "user")
        #expect(try await registry.snapshot().bundles.allSatisfy { $0.problem != nil })
        #expect(
            await failure { _ = try await registry.set("test.one", isEnabled: true) }?.code == .refused)
    }

    @Test func choiceHoldsForTheBundleInThatFolderOnly() async throws {
        try install("one", in: "user")
        _ = try await registry.set("test.one", isEnabled: true)
        try install("one", in: "first")
        #expect(try await registry.snapshot().enabled.isEmpty)
    }

    @Test func generationChangesWithWhatIsThereAndOnlyThen() async throws {
        try install("one", in: "user")
        let first = try await registry.snapshot().generation
        #expect(try await registry.snapshot().generation == first)
        try install("two", in: "first")
        let second = try await registry.snapshot().generation
        #expect(second != first)
        try FileManager.default.removeItem(atPath: folder.path + "/first/keyway/providers/two.appex")
        #expect(try await registry.snapshot().generation != second)
    }

    @Test func nobodyLooksWhereNothingChangedWhateverElseIsInstalled() async throws {
        for name in ["one", "two"] { try install(name, in: "user") }
        try install("two", in: "first")
        try install("faulty", in: "user", ["CFBundleExecutable": "missing"])
        try install("strange", in: "user", ["CFBundleExecutable": "../../../../../../../proc/self/exe"])
        try folder.write("no list", to: "user/keyway/providers/damaged.appex/Info.plist")
        _ = try await registry.set("test.one", isEnabled: true)
        let bundles = try await registry.snapshot().bundles
        #expect(bundles.count { $0.problem != nil } == 4)
        let looks = await registry.looks
        for _ in 0..<5 { #expect(try await registry.snapshot().enabled.count == 1) }
        #expect(await registry.looks == looks)
        try folder.write("#!/bin/true", to: "user/keyway/providers/faulty.appex/missing", mode: 0o755)
        #expect(try await registry.snapshot().bundles.count { $0.problem != nil } == 3)
    }

    @Test func programOfAnAppThatBecomesAnInterpreterIsSeen() async throws {
        try install("one", in: "user")
        let list = folder.path + "/user/keyway/providers/one.appex/Info.plist"
        let text = try String(contentsOfFile: list, encoding: .utf8)
        let names = "<key>KeywayApplications</key><array><string>\(folder.path)/app/it</string></array>"
        let place = try #require(text.range(of: "<dict>"))
        try text.replacingCharacters(in: place, with: "<dict>" + names)
            .write(toFile: list, atomically: true, encoding: .utf8)
        #expect(try await registry.snapshot().bundles.first?.problem == nil)
        try folder.folder("app")
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/app/it", withDestinationPath: "/bin/sh")
        #expect(try await registry.snapshot().bundles.first?.problem?.contains("other people's programs") == true)
    }

    /// The kernel tells of that when it is closed.
    @Test func programThatIsWrittenThroughAMappingIsNotStarted() async throws {
        try install("one", in: "user")
        _ = try await registry.set("test.one", isEnabled: true)
        let bundle = try #require(try await registry.snapshot().enabled.first)
        #expect(try await registry.mayStart(bundle))
        let file = open(bundle.extensionPath, O_RDWR)
        let memory = mmap(nil, 2, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
        close(file)
        defer { munmap(memory, 2) }
        memory?.storeBytes(of: 0, as: UInt8.self)
        #expect(try await registry.snapshot().enabled == [bundle])
        #expect(try await !registry.mayStart(bundle))
        #expect(try await registry.snapshot().changed.count == 1)
    }

    @Test func repairedBundleIsSeenWithoutAMark() async throws {
        try install("one", in: "user")
        let program = folder.path + "/user/keyway/providers/one.appex/extension"
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: program)
        #expect(try await registry.snapshot().bundles.first?.problem?.contains("isn't executable") == true)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        #expect(try await registry.snapshot().bundles.first?.problem == nil)
    }

    @Test func programThatOthersMayChangeIsAProblem() async throws {
        try install("one", in: "user")
        let program = folder.path + "/user/keyway/providers/one.appex/extension"
        try FileManager.default.setAttributes([.posixPermissions: 0o757], ofItemAtPath: program)
        #expect(try await registry.snapshot().bundles.first?.problem?.contains("Other users") == true)
    }

    @Test(arguments: ["../extension", "/bin/sh", "", ".hidden", "a/b", ".."])
    func programMustBeAPlainName(name: String) async throws {
        try install("one", in: "user", ["CFBundleExecutable": name])
        #expect(try await registry.snapshot().bundles.first?.problem?.contains("plain name") == true)
    }

    @Test(arguments: ["", "a b", "../x", "ä", ".x", "a/b", String(repeating: "x", count: 156)])
    func identifierMustBeAbleToNameAFile(identifier: String) async throws {
        try install("one", in: "user", ["CFBundleIdentifier": identifier])
        let bundle = try #require(try await registry.snapshot().bundles.first)
        #expect(bundle.problem != nil)
        #expect(bundle.reference.identifier == "one.appex")
    }

    @Test(arguments: ["", "{", "[]", "{\"version\":2,\"enabled\":[]}", "{\"version\":1}"])
    func choicesThatAreNotOursAreRefusedAndKeptAside(text: String) async throws {
        try install("one", in: "user")
        try folder.write(text, to: "providers.json")
        #expect(await failure { _ = try await registry.snapshot() }?.code == .damaged)
        #expect(await failure { try await registry.order(["test.one"]) }?.code == .damaged)
        #expect(try folder.read("providers.json") == text)
        _ = try await registry.set("test.one", isEnabled: true)
        #expect(try await registry.snapshot().enabled.count == 1)
        #expect(try folder.read("providers.json.disbelieved") == text)
    }

    @Test func choicesAreReplacedWhole() async throws {
        try install("one", in: "user")
        try install("two", in: "user")
        _ = try await registry.set("test.one", isEnabled: true)
        _ = try await registry.set("test.two", isEnabled: true)
        #expect(try folder.read("providers.json").contains("test.one"))
        #expect(!folder.exists("providers.json.new"))
        #expect(try await registry.snapshot().enabled.count == 2)
    }
}

@Suite struct ProviderOrderTests {
    private let folder: TemporaryFolder
    private let registry: ProviderRegistry

    init() throws {
        folder = try TemporaryFolder()
        let paths = try KeywayPaths(environment: ["HOME": folder.path, "XDG_DATA_HOME": folder.path])
        registry = ProviderRegistry(
            folders: paths.providerFolders.filter { $0.scope == .user },
            state: folder.path, seal: .opened(), examiner: BundleExaminer())
        for name in ["one", "two", "six"] { try TestBundle.install(in: folder, name: name, root: ".") }
    }

    private func enable(_ names: String...) async throws {
        for name in names { _ = try await registry.set("test.\(name)", isEnabled: true) }
    }

    private func order() async throws -> [String] {
        try await registry.snapshot().enabled.map(\.reference.name)
    }

    @Test func orderOfTurningOnIsTheOrderUntilThePersonSaysAnother() async throws {
        try await enable("two", "one", "six")
        #expect(try await order() == ["two", "one", "six"])
        try await registry.order(["test.six", "test.two"])
        #expect(try await order() == ["six", "two", "one"])
        #expect(try await registry.snapshot().bundles.map(\.reference.name) == ["six", "two", "one"])
    }

    @Test func turningOnAgainKeepsThePlace() async throws {
        try await enable("two", "one", "two")
        #expect(try await order() == ["two", "one"])
    }

    @Test func restFollowsByName() async throws {
        try await enable("two")
        #expect(try await registry.snapshot().bundles.map(\.reference.name) == ["two", "one", "six"])
    }

    @Test func orderNamesEnabledProvidersOnly() async throws {
        try await enable("two", "one")
        #expect(await failure { try await registry.order(["test.six"]) }?.code == .notFound)
        try await registry.order(["test.one", "test.one"])
        #expect(try await order() == ["one", "two"])
    }
}
