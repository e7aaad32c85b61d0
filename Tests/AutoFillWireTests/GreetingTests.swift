import Testing

@testable import AutoFillWire
@testable import KeywaySystem

@Suite struct GreetingTests {
    private func door(_ roles: Set<Role> = [.terminal, .browser]) throws -> (client: Connection, server: Connection) {
        var methods = MethodTable()
        methods.on(Echo.self) { parameters, _ in parameters }
        let (one, other) = try LocalSocket.pair()
        let client = Connection(descriptor: one, peer: .known(.broker))
        let server = Connection(
            descriptor: other, peer: .unknown(Greeting(accepts: roles, name: "keywayd 0.1.0")), methods: methods)
        client.start()
        server.start()
        return (client, server)
    }

    @Test func opensTheDoorToARoleThatMayComeIn() async throws {
        let (client, server) = try door()
        #expect(try await client.greet(as: .terminal, name: "keyway 0.1.0").name == "keywayd 0.1.0")
        #expect(server.role == .terminal)
        #expect(try await client.call(Echo.self, .init(text: "in")).text == "in")
    }

    @Test func answersNothingBeforeTheGreeting() async throws {
        let (client, _) = try door()
        await #expect(throws: ProtocolError(.helloExpected, "")) { try await client.call(Echo.self, .init()) }
    }

    @Test func keepsOutARoleThatHasNoBusinessHere() async throws {
        let (client, server) = try door()
        await #expect(throws: ProtocolError(.notAllowed, "")) {
            try await client.greet(as: .providerService, name: "x")
        }
        #expect(server.role == nil)
        await #expect(throws: ProtocolError(.helloExpected, "")) { try await client.call(Echo.self, .init()) }
    }

    @Test func aBrowserSaysWhichProfileAsks() async throws {
        let (client, server) = try door()
        #expect(server.hello == nil)
        let profile = BrowserProfile(identifier: "0b7e3c52-6d9c-4c40-9a53-2f1b4cd8a1f0", browser: "Chromium")
        try await client.greet(as: .browser, name: "host", profile: profile)
        #expect(server.hello?.profile == profile)
        #expect(server.hello?.name == "host")
    }

    @Test(arguments: [
        ("0123456789abcde", "Chromium"), (String(repeating: "a", count: 65), "Chromium"), ("", "Chromium"),
        ("0123456789abcdef.", "Chromium"), ("0123456789abcdef\n", "Chromium"), ("０１２３４５６７８９０１２３４５", "Chromium"),
        ("0123456789abcdef", ""), ("0123456789abcdef", "Chro\u{202E}mium"), ("0123456789abcdef", "Chro\nmium"),
        ("0123456789abcdef", String(repeating: "x", count: 65)),
    ])
    func aProfileThatIsNoneOpensNoDoor(identifier: String, browser: String) async throws {
        let (client, server) = try door()
        let profile = BrowserProfile(identifier: identifier, browser: browser)
        await #expect(throws: ProtocolError(.invalidParameters, "")) {
            try await client.greet(as: .browser, name: "host", profile: profile)
        }
        #expect(server.role == nil)
    }

    @Test func onlyABrowserHasAProfile() async throws {
        let (client, server) = try door()
        let profile = BrowserProfile(identifier: "0123456789abcdef", browser: "Chromium")
        await #expect(throws: ProtocolError(.invalidParameters, "")) {
            try await client.greet(as: .terminal, name: "keyway", profile: profile)
        }
        #expect(server.role == nil)
    }

    @Test func greetsOnce() async throws {
        let (client, server) = try door()
        try await client.greet(as: .browser, name: "host")
        await #expect(throws: ProtocolError(.notAllowed, "")) { try await client.greet(as: .terminal, name: "keyway") }
        #expect(server.role == .browser)
    }

    @Test(arguments: [(0, "update and restart the former"), (2, "restart the latter, or update it")])
    func tellsAnotherVersionWhatToDo(major: Int, advice: String) async throws {
        let (client, _) = try door()
        let hello = Hello.Parameters(role: .terminal, name: "keyway 9", protocol: .init(major: major, minor: 3))
        let error = await #expect(throws: ProtocolError(.versionMismatch, "")) {
            try await client.call(Hello.self, hello)
        }
        #expect(error?.message.contains(advice) == true)
        #expect(error?.message.contains("\(major).3") == true)
        #expect(try await client.greet(as: .terminal, name: "keyway").protocol == .current)
    }

    @Test func talksToAnotherMinorVersion() async throws {
        let (client, _) = try door()
        let hello = Hello.Parameters(role: .terminal, name: "keyway", protocol: .init(major: 1, minor: 99))
        #expect(try await client.call(Hello.self, hello).protocol == .current)
    }

    @Test func whoWaitsForTheGreetingGoesOnAfterIt() async throws {
        let (client, server) = try door()
        let wait = Task { try await server.waitForGreeting() }
        try await client.greet(as: .terminal, name: "keyway")
        try await wait.value
        try await server.waitForGreeting()
        #expect(server.role == .terminal)
    }

    @Test func whoWaitsForAGreetingThatNeverComesIsTold() async throws {
        let (client, server) = try door()
        let wait = Task { try await server.waitForGreeting() }
        client.close()
        await #expect(throws: ProtocolError(.connectionClosed, "")) { try await wait.value }
        let cancelled = Task { try await (try door()).server.waitForGreeting() }
        cancelled.cancel()
        await #expect(throws: ProtocolError(.cancelled, "")) { try await cancelled.value }
    }
}
