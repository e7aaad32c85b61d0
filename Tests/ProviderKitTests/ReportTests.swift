import AutoFillProtocol
import Foundation
import KeywaySystem
import Testing

@testable import ProviderKit

struct ReportTests {
    private static let rule = Rule("some-rule", "It does.", why: "It must.", remedy: "Do it.") {
        (_) throws(Objection) in
    }

    private func verdict(_ status: Verdict.Status, _ detail: String? = nil) -> Verdict {
        Verdict(Self.rule, group: "group", status, detail, .milliseconds(1250))
    }

    @Test func aRuleThatIsBrokenSaysWhatWasSeenWhyAndWhatToDo() {
        let text = KitReport.text(verdict(.fail, "nothing\u{1B}[2J"))
        #expect(
            text == """
                FAIL  some-rule: It does.
                        seen: nothing[2J
                        why:  It must.
                        do:   Do it.

                """)
    }

    @Test func whatCouldNotBeCheckedIsCountedApart() {
        let verdicts = [verdict(.pass), verdict(.unchecked, "no"), verdict(.notApplicable, "no"), verdict(.fail, "no")]
        #expect(KitReport.summary(verdicts) == "1 kept, 1 broken, 1 do not apply, 1 could not be checked.\n")
        #expect(KitReport.summary([verdict(.pass)]) == "1 kept, 0 broken.\n")
    }

    @Test func theObjectForProgramsHoldsTheSame() throws {
        let json = try KitReport.json([verdict(.fail, "nothing")], bundle: "/b.appex")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        #expect(object["bundle"] as? String == "/b.appex")
        let verdicts = try #require(object["verdicts"] as? [[String: Any]])
        #expect(verdicts.first?["status"] as? String == "fail")
        #expect(verdicts.first?["seconds"] as? Double == 1.25)
        #expect((verdicts.first?["rule"] as? [String: String])?["name"] == "some-rule")
        #expect((object["summary"] as? [String: Int])?["failed"] == 1)
    }
}

struct KitCommandLineTests {
    @Test func takesWhatTheCommandLineHandsOver() throws {
        let words = [
            "test", "--json", "--rule", "a", "--rule", "b", "--record", "r", "--user", "u", "--service", "s",
            "--type-from", "f", "--home", "h", "--leaves", "gpg-agent", "--requests", "7", "--", "--odd.appex",
        ]
        guard case .test(let options, wantsJSON: true) = try KitCommandLine(words).action else {
            Issue.record("not understood")
            return
        }
        #expect(options.path == "--odd.appex" && options.rules == ["a", "b"] && options.record == "r")
        #expect(options.user == "u" && options.service == "s" && options.secretFile == "f" && options.home == "h")
        #expect(options.leaves == ["gpg-agent"] && options.requests == 7)
    }

    @Test(arguments: [
        [], ["test"], ["new"], ["sing", "x"], ["test", "x", "--requests", "0"], ["test", "x", "--rule"],
    ])
    func refusesWhatMeansNothing(words: [String]) {
        #expect(throws: ProtocolError(.invalidParameters, "")) { try KitCommandLine(words) }
    }

    @Test func aNamedRecordIsAnAccountOfEveryKindButPasskeys() {
        var options = KitOptions(path: "x")
        #expect(options.account(.password) == nil)
        (options.record, options.service) = ("r", "https://example.com/login")
        #expect(options.account(.password)?.service == ServiceIdentifier("https://example.com/login", kind: .url))
        #expect(options.account(.oneTimeCode)?.recordIdentifier == "r")
        #expect(options.account(.passkey) == nil)
    }
}

struct BundleInformationTests {
    private func information(_ capabilities: [String: Any]) throws -> BundleInformation {
        let root: [String: Any] = [
            "CFBundleName": "Kit", "CFBundleVersion": 3, "Date": Date(timeIntervalSince1970: 0), "Data": Data([1]),
            "NSExtension": ["NSExtensionAttributes": ["ASCredentialProviderExtensionCapabilities": capabilities]],
        ]
        let data = try PropertyListSerialization.data(fromPropertyList: root, format: .xml, options: 0)
        return BundleInformation(bytes: Array(data))
    }

    @Test func namesKeysThatMeanNothing() throws {
        let information = try information(["ProvidesPasswords": true, "ProvidesPassword": true])
        #expect(information.unknownCapabilities == ["ProvidesPassword"])
        #expect(information.contradictions.isEmpty)
        #expect(information.text("CFBundleName") == "Kit" && information.text("CFBundleVersion") == nil)
    }

    @Test func namesCapabilitiesThatNeedAnother() throws {
        let information = try information([
            "SupportsGeneratePasswordCredentials": true, "SupportsConditionalPasskeyRegistration": true,
        ])
        #expect(information.contradictions.count == 2)
    }

    @Test func bytesThatAreNoListDeclareNothing() {
        #expect(BundleInformation(bytes: Array("no list".utf8)).unknownCapabilities.isEmpty)
    }
}
