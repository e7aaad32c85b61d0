import AutoFillProtocol
import Testing

@testable import KeywayCommand

/// How `keyway clients` names programs.
struct ClientsCommandTests {
    private func client(_ identifier: String, path: String? = nil, browser: String? = nil) -> ApprovedClient {
        ApprovedClient(
            identifier: identifier, name: "x", path: path, browser: browser, role: .browser, profile: nil,
            isKnown: false, decision: .waiting, decidedAt: nil, method: nil, lastAsked: nil)
    }

    @Test func eightDigitsNameAProgramUnlessAnotherBeginsWithThem() {
        let one = client("0123456789abcdef0123456789abcdef")
        let other = client("0123456789ab0000000000000000000f")
        #expect(ClientsCommand.digits(one, [one]) == "01234567")
        #expect(ClientsCommand.digits(one, [one, other]) == "0123456789abc")
        #expect(ClientsCommand.digits(other, [one, other]) == "0123456789ab0")
    }

    @Test func programIsShownBeforeTheBrowserThatStartedIt() {
        #expect(Strings.file(client("0", path: "/home/ada/host")) == "/home/ada/host")
        #expect(
            Strings.file(client("0", path: "/home/ada/host", browser: "/usr/bin/firefox"))
                == "/home/ada/host, started by /usr/bin/firefox")
        #expect(Strings.file(client("0")) == Strings.hiddenClient)
    }
}
