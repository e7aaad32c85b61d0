import AutoFillProtocol
import Testing

@testable import BrokerBase

/// What a policy allows: files only forbid, the strictest counts, and what cannot be read forbids most.
struct AdministratorPolicyTests {
    private func policy(_ texts: String...) -> AdministratorPolicy {
        var policy = AdministratorPolicy()
        for (number, text) in texts.enumerated() { policy.add(PolicyText(Array(text.utf8)), from: "/etc/\(number)") }
        return policy
    }

    @Test func withoutAFileEverythingIsAllowed() {
        let policy = AdministratorPolicy()
        #expect(policy.allows(provider: "any") && policy.allows(browser: nil) && policy.keepsHistory)
        #expect(policy.idleLock == nil && policy.state == nil)
        let settings = VerificationSettings(rule: .never, grace: 3600, providers: ["a": .never])
        #expect(policy.tightened(settings) == settings)
    }

    @Test func eachKeyForbidsItsOwn() {
        let policy = policy(
            """
            [providers]
            allow = ["org.keyway.passwords"]
            [verification]
            rule = "when-set-up"
            grace = 60
            [vault]
            idle-lock = 300
            [history]
            keep = false
            [browsers]
            allow = ["/usr/bin/firefox"]
            """)
        #expect(policy.faults.isEmpty)
        #expect(policy.allows(provider: "org.keyway.passwords") && !policy.allows(provider: "org.example"))
        #expect(policy.allows(browser: "/usr/bin/firefox") && !policy.allows(browser: "/usr/bin/chromium"))
        #expect(!policy.allows(browser: nil), "a browser that nobody knows")
        #expect(policy.idleLock == 300 && !policy.keepsHistory)
        let settings = VerificationSettings(rule: .never, grace: 300, providers: ["a": .never, "b": .always])
        #expect(
            policy.tightened(settings)
                == VerificationSettings(rule: .whenSetUp, grace: 60, providers: ["a": .whenSetUp, "b": .always]))
        #expect(
            policy.state?.settings.map(\.value) == [
                "org.keyway.passwords", "when-set-up", "60", "300", "false", "/usr/bin/firefox",
            ])
    }

    @Test func whatThePersonSetsStricterStays() {
        let policy = policy("[verification]\nrule = \"when-set-up\"\ngrace = 60\n")
        let settings = VerificationSettings(rule: .always, grace: 0)
        #expect(policy.tightened(settings) == settings)
    }

    @Test func noFileLoosensWhatAnotherSays() {
        let strict =
            "[providers]\nallow = [\"a\"]\n[verification]\nrule = \"always\"\ngrace = 0\n[vault]\nidle-lock = 60\n"
        let loose =
            "[providers]\nallow = [\"a\", \"b\"]\n[verification]\nrule = \"never\"\ngrace = 60\n[vault]\nidle-lock = 600\n"
            + "[history]\nkeep = true\n"
        for policy in [policy(strict, loose), policy(loose, strict)] {
            #expect(policy.providers == ["a"] && policy.rule == .always && policy.grace == 0 && policy.idleLock == 60)
        }
        #expect(policy("[history]\nkeep = false\n", "[history]\nkeep = true\n").keepsHistory == false)
        #expect(policy("[browsers]\nallow = [\"/a\"]\n", "[browsers]\nallow = [\"/b\"]\n").browsers == [])
    }

    @Test(arguments: [
        "[verification]\nrule = \"alwayss\"\n", "[verification]\ngrace = -1\n", "[verification]\ngraze = 60\n",
        "[verification]\nrule = always\n", "[verification]\nrule =\n",
    ])
    func aFaultMakesItsTableAsStrictAsCanBe(text: String) {
        let policy = policy(text)
        #expect(policy.faults.count == 1 && policy.faults.first?.line == 2)
        #expect(policy.rule == .always && policy.grace == 0)
        #expect(policy.allows(provider: "any") && policy.keepsHistory && policy.idleLock == nil)
    }

    @Test(arguments: ["[verifikation]\nrule = \"always\"\n", "rule = \"always\"\n", "[vault\nidle-lock = 300\n"])
    func aFaultOutsideAKnownTableMakesEverythingSo(text: String) {
        let policy = policy(text)
        #expect(!policy.faults.isEmpty)
        #expect(!policy.allows(provider: "any") && !policy.allows(browser: "/any") && !policy.keepsHistory)
        #expect(policy.rule == .always && policy.grace == 0 && policy.idleLock == 60)
    }

    @Test(arguments: ["idle-lock = 59", "idle-lock = 86401", "idle-lock = \"300\""])
    func aNumberOutOfBoundsIsAFault(line: String) {
        #expect(policy("[vault]\n\(line)\n").idleLock == AdministratorPolicy.shortestIdleLock)
    }

    @Test(arguments: ["[browsers]\nallow = [\"firefox\"]\n", "[providers]\nallow = \"org.keyway.passwords\"\n"])
    func aListThatIsNoneAllowsNothing(text: String) {
        let policy = policy(text)
        #expect(policy.browsers == [] || policy.providers == [])
    }

    @Test func aFaultNamesFileLineAndWhatComesOfIt() throws {
        let fault = try #require(policy("[vault]\nidle-lock = 5\n").state?.faults.first)
        #expect(fault.sentence.hasPrefix("/etc/0, line 2: idle-lock must be a number of seconds from 60 to 86400. "))
        #expect(fault.sentence.contains("strictest"))
    }
}
