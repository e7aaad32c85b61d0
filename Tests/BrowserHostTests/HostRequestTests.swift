import AutoFillProtocol
import AutoFillWire
import Testing

@testable import BrowserHost

@Suite struct HostRequestTests {
    private func parse(_ json: String) throws(HostFailure) -> HostRequest {
        try HostRequest(frame: Array(json.utf8), limits: WireLimits())
    }

    @Test func readsASuggestion() throws {
        let json = #"{"jsonrpc":"2.0","id":3,"method":"suggest","params":{"url":"https://a.example/x","private":true}}"#
        let request = try parse(json)
        #expect(request.id == 3)
        #expect(try request.call.get() == .suggest(.init(page: Page(url: "https://a.example/x", isPrivate: true))))
    }

    @Test(arguments: [
        "", "{", "[]", "null", "7", #""hello""#, "{}", #"{"jsonrpc":"2.0"}"#,
        #"{"jsonrpc":"1.0","id":1,"method":"hello"}"#, #"{"id":1,"method":"hello"}"#,
        #"{"jsonrpc":"2.0","id":-1,"method":"hello"}"#, #"{"jsonrpc":"2.0","id":1.5,"method":"hello"}"#,
        #"{"jsonrpc":"2.0","id":"1","method":"hello"}"#, #"{"jsonrpc":"2.0","id":null,"method":"hello"}"#,
        #"{"jsonrpc":"2.0","id":1,"method":7}"#, #"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"hello","params":{},"extra":1}"#,
        #"[{"jsonrpc":"2.0","id":1,"method":"hello"}]"#,
    ])
    func refusesWhatIsNoRequest(json: String) {
        #expect(throws: HostFailure(.invalid, "")) { try parse(json) }
    }

    @Test(arguments: [100, 500_000])
    func refusesDeepNestingBeforeAnythingIsBuilt(depth: Int) {
        let deep = String(repeating: "[", count: depth)
        let refusal = #expect(throws: HostFailure.self) { try parse(deep) }
        #expect(refusal?.message == "The message is nested more than \(WireLimits().nesting) deep.")
        let quoted = #"{"jsonrpc":"2.0","id":1,"method":"\#(String(repeating: "[", count: 100))"}"#
        #expect(throws: Never.self) { try parse(quoted) }
    }

    @Test(arguments: [
        [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00], [0x7b, 0x22, 0xc3, 0x22, 0x7d], [0x80], [0xed, 0xa0, 0x80],
    ])
    func refusesWhatIsNotUTF8(bytes: [UInt8]) {
        let refusal = #expect(throws: HostFailure.self) { try HostRequest(frame: bytes, limits: WireLimits()) }
        #expect(refusal?.message == "The message is not UTF-8.")
    }

    @Test(arguments: [
        ("suggest", #"{}"#), ("suggest", #"[]"#), ("suggest", #"{"url":"https://a.example/"}"#),
        ("suggest", #"{"url":"https://a.example/","private":1}"#), ("suggest", #"{"url":"","private":false}"#),
        ("suggest", #"{"url":"https://a.example/","private":false,"origin":"x"}"#),
        ("fill", #"{"url":"https://a.example/","private":false,"handle":"h","fields":[]}"#),
        ("fill", #"{"url":"https://a.example/","private":false,"handle":"","fields":["password"]}"#),
        ("fill", #"{"url":"https://a.example/","private":false,"handle":"h","fields":["notes"]}"#),
        ("fill", #"{"url":"https://a.example/","private":false,"handle":"h","fields":["password","password"]}"#),
        ("fill", #"{"url":"https://a.example/","private":false,"handle":"h","fields":["password"],"x":1}"#),
        ("fill", #"{"url":"https://a.example/","private":false,"handle":"h","fields":["oneTimeCode","username"]}"#),
        ("suggest", #"{"url":"https://a.example/","private":false,"codes":1}"#),
        ("suggest", #"{"url":"https://a.example/","private":false,"codes":true,"passkeys":{"allowed":[]}}"#),
        ("list", #"{"url":"https://a.example/","private":false,"provider":"p","fields":[]}"#),
        ("list", #"{"url":"https://a.example/","private":false,"provider":"","fields":["password"]}"#),
        ("list", #"{"url":"https://a.example/","private":false,"fields":["password"]}"#),
        ("list", #"{"url":"https://a.example/","private":false,"provider":"p","fields":["oneTimeCode","password"]}"#),
        ("list", #"{"url":"https://a.example/","private":false,"provider":"p","handle":"h","fields":["password"]}"#),
        ("texts", #"{"url":"https://a.example/","private":false,"provider":"p"}"#), ("texts", "{}"),
        ("insert", #"{"url":"https://a.example/","private":false}"#),
        ("insert", #"{"url":"https://a.example/","private":false,"provider":""}"#),
        ("insert", #"{"url":"https://a.example/","private":false,"provider":"p","fields":["password"]}"#),
        ("hello", #"{"protocol":{"major":1,"minor":0},"version":"1","browser":"x","more":1}"#),
        ("hello", #"{"version":"1","browser":"x"}"#), ("providers.enable", "{}"), ("cancel", #"{"id":1}"#),
    ])
    func refusesParametersThatAreNotTheMethods(method: String, params: String) throws {
        let request = try parse(#"{"jsonrpc":"2.0","id":9,"method":"\#(method)","params":\#(params)}"#)
        #expect(request.id == 9)
        #expect(throws: HostFailure(.invalid, "")) { try request.call.get() }
    }

    @Test(arguments: ["file:///etc/passwd", "javascript:1", "chrome://settings", "about:blank", "HTTPS.example"])
    func refusesWhatIsNoPageOfTheWeb(url: String) throws {
        let json = #"{"jsonrpc":"2.0","id":1,"method":"suggest","params":{"url":"\#(url)","private":false}}"#
        let request = try parse(json)
        #expect(throws: HostFailure(.refused, "")) { try request.call.get() }
    }

    @Test func readsTheVersionOfALaterGreeting() throws {
        let request = try parse(
            #"{"jsonrpc":"2.0","id":1,"method":"hello","params":{"protocol":{"major":2,"minor":0},"new":{}}}"#)
        #expect(try request.call.get() == .hello(.init(protocol: ProtocolVersion(major: 2, minor: 0), profile: nil)))
    }

    private func hello(_ members: String) throws -> HostRequest {
        try parse(
            #"{"jsonrpc":"2.0","id":1,"method":"hello","params":{"protocol":{"major":1,"minor":1},"version":"1"\#(members)}}"#
        )
    }

    @Test func theRealmOfAServerIsPartOfTheServiceAndOfNothingElse() throws {
        let page = #""url":"https://a.example/wiki","private":false,"realm":"Staff""#
        let suggest = try parse(#"{"jsonrpc":"2.0","id":1,"method":"suggest","params":{\#(page)}}"#)
        guard case .suggest(let asked) = try suggest.call.get() else { throw HostFailure.malformed("another call") }
        #expect(asked.page.services == [ServiceIdentifier("https://a.example/wiki", kind: .url, realm: "Staff")])
        let available = try parse(#"{"jsonrpc":"2.0","id":1,"method":"passkeys.available","params":{\#(page)}}"#)
        #expect(throws: HostFailure.self) { try available.call.get() }
    }

    @Test func readsWhichProfileAsks() throws {
        let request = try hello(#","browser":"Example Browser","profile":"0123456789abcDEF-""#)
        let profile = BrowserProfile(identifier: "0123456789abcDEF-", browser: "Example Browser")
        #expect(
            try request.call.get() == .hello(.init(protocol: ProtocolVersion(major: 1, minor: 1), profile: profile)))
        let without = try hello(#","browser":"Example Browser""#)
        #expect(try without.call.get() == .hello(.init(protocol: ProtocolVersion(major: 1, minor: 1), profile: nil)))
    }

    @Test(arguments: [
        #"null"#, #"7"#, #""""#, #""0123456789abcde""#, #""\#(String(repeating: "a", count: 65))""#,
        #""0123456789 abcdef""#, #""0123456789abcdéf""#, #""0123456789abcdef\u0000""#, #""../../0123456789abcdef""#,
    ])
    func refusesWhatNamesNoProfile(profile: String) throws {
        let request = try hello(#","browser":"Chromium","profile":\#(profile)"#)
        #expect(throws: HostFailure(.invalid, "")) { try request.call.get() }
    }

    @Test(arguments: [#""""#, #""Chro\u202Emium""#, #""Chro\nmium""#, #""\#(String(repeating: "x", count: 65))""#])
    func refusesWhatNamesNoBrowser(browser: String) throws {
        let request = try hello(#","browser":\#(browser),"profile":"0123456789abcdef""#)
        #expect(throws: HostFailure(.invalid, "")) { try request.call.get() }
    }

    @Test(arguments: [
        (#"["username","password"]"#, Fill.Target.list(provider: "p")), (#"["password"]"#, .list(provider: "p")),
        (#"["oneTimeCode"]"#, .oneTimeCodes(provider: "p")),
    ])
    func aListIsOfWhatThePageHasRoomFor(fields: String, target: Fill.Target) throws {
        let params = #"{"url":"https://a.example/","private":true,"provider":"p","fields":\#(fields)}"#
        let request = try parse(#"{"jsonrpc":"2.0","id":1,"method":"list","params":\#(params)}"#)
        guard case .fill(let choice) = try request.call.get() else { throw HostFailure.malformed("no list") }
        #expect(choice.target == target)
        #expect(choice.page.isPrivate)
    }

    @Test func everyTruncationIsRefused() {
        let whole = Array(#"{"jsonrpc":"2.0","id":1,"method":"cancel","params":{"id":1}}"#.utf8)
        for count in 0..<whole.count {
            #expect(throws: HostFailure.self) {
                _ = try HostRequest(frame: Array(whole[..<count]), limits: WireLimits())
            }
        }
    }
}
