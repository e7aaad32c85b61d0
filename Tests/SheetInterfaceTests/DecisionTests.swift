import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import Testing

@testable import SheetInterface

@Suite struct DecisionTests {
    private let provider = ProviderReference(identifier: "org.example.manager", name: "Manager")

    private func decision(_ question: AskPerson.Question) throws -> Decision {
        guard case .decision(let decision) = Sheet(question, in: .english).content else {
            throw NotADecision()
        }
        return decision
    }

    private struct NotADecision: Error {}

    private func consent(
        path: String = "/opt/strange", browser: String? = nil, profile: String? = nil, isKnown: Bool = false,
        permissions: [AskPerson.Permission] = [.seeAccounts]
    ) throws -> Decision {
        try decision(
            .consent(
                .init(
                    program: "Strange", path: path, browser: browser, profile: profile, isKnown: isKnown,
                    permissions: permissions)))
    }

    // MARK: Saving

    private func saving(
        replaces: Bool = false, isEncrypted: Bool = true, password: String? = nil, stored: String? = nil
    ) throws -> AskPerson.Question {
        func attached(_ text: String?) throws -> AutoFillWire.Attachment? {
            try text.map { text in
                AutoFillWire.Attachment(try Array(text.utf8).withUnsafeBytes { try SealedMemory(copying: $0) })
            }
        }
        return .saving(
            .init(
                account: "ada\u{202E}", service: "https://a.example", isEncrypted: isEncrypted, provider: provider,
                replaces: replaces, password: try attached(password), stored: try attached(stored)))
    }

    @Test func aPasswordToSaveNamesAccountSiteAndProvider() throws {
        let decision = try decision(try saving())
        #expect(
            decision.facts == [
                .init(.name, "Account", "ada"), .init(.name, "Entered on", "https://a.example"),
                .init(.name, "Saved in", "Manager"),
            ])
        #expect(decision.title.contains("a.example") && !decision.title.contains("https"))
        #expect(decision.buttons == .init(refuse: "Not Now", allow: "Save", never: "Never for This Site"))
        #expect(!decision.isRisky)
    }

    @Test func codesToSetUpNameIssuerAccountAndProvider() throws {
        let decision = try decision(
            .settingUpCode(.init(issuer: "Exam\u{202E}ple", account: "ada", provider: provider)))
        // A link wrote the name: it says nothing where Keyway speaks.
        #expect(!decision.title.contains("Example") && !decision.text.contains("Example"))
        #expect(
            decision.facts == [
                .init(.name, "Issuer", "Example"), .init(.name, "Account", "ada"), .init(.name, "Saved in", "Manager"),
            ])
        #expect(decision.buttons.allow == "Set Up")
        let nobodys = try self.decision(.settingUpCode(.init(issuer: "", account: "", provider: provider)))
        #expect(nobodys.facts.map(\.detail).prefix(2) == ["The link names none", "No user name"])
    }

    @Test func replacingAPasswordSaysWhatBecomesOfTheOldOne() throws {
        let decision = try decision(try saving(replaces: true))
        #expect(decision.isRisky && decision.buttons.allow == "Replace")
        #expect(
            decision.facts.contains {
                $0.kind == .warning && $0.title.hasSuffix("already has a password for this account")
            })
        #expect(try self.decision(try saving(isEncrypted: false)).isRisky)
    }

    /// What would be kept is compared here, where both arrive; nobody is asked about what is kept already.
    @Test(arguments: [
        ("one", "one", true), ("one", "two", false), ("one", "onetwo", false), (nil, nil, false), ("one", nil, false),
    ])
    func whatIsKeptAlreadyIsNotAsked(password: String?, stored: String?, isSettled: Bool) throws {
        #expect(try saving(replaces: true, password: password, stored: stored).isSettled == isSettled)
    }

    @Test func aConsentNamesProgramFileAndProfile() throws {
        let decision = try consent(profile: "Work")
        #expect(decision.title.contains("Strange"))
        #expect(decision.facts.contains(.init(.name, "Program", "/opt/strange")))
        #expect(decision.facts.contains(.init(.name, "Profile", "Work")))
    }

    @Test func aProgramThatABrowserStartedIsNamedBeforeTheBrowser() throws {
        let decision = try consent(path: "/home/ada/host", browser: "/usr/bin/firefox\u{202E}")
        #expect(
            Array(decision.facts.prefix(2)) == [
                .init(.name, "Program", "/home/ada/host"), .init(.name, "Started by", "/usr/bin/firefox"),
            ])
        #expect(try !consent(path: "", isKnown: true).facts.contains { $0.title == "Program" })
    }

    @Test func whatIsNoBrowserHasNoProfile() throws {
        #expect(try !consent().facts.contains { $0.title == "Profile" })
    }

    @Test func aProgramThatNobodyVouchesForIsWarnedOf() throws {
        #expect(try consent(isKnown: false).isRisky)
        #expect(try !consent(path: "", isKnown: true).isRisky)
        #expect(try consent(path: "", isKnown: true).facts.contains { $0.kind == .assurance })
    }

    /// The group is that of the helper: any program can start a browser.
    @Test func nobodyVouchesForABrowser() throws {
        let decision = try consent(isKnown: true)
        #expect(decision.isRisky)
        #expect(!decision.facts.contains { $0.kind == .assurance })
    }

    @Test func aNewSiteIsNamedWithAccountProviderAndProfile() throws {
        let provider = ProviderReference(identifier: "test.vault", name: "Vault")
        let question = AskPerson.NewSite(
            program: "Chromium", profile: "p1", service: "a.example", provider: provider, account: "ada")
        let decision = try decision(.newSite(question))
        #expect(decision.title.contains("a.example") && decision.title.contains("Chromium"))
        #expect(decision.facts.map(\.detail) == ["ada", "a.example", "Vault", "p1"])
    }

    @Test func everyPermissionIsSaidOnceAndInOneOrder() throws {
        let shuffled = try consent(permissions: [.useService, .seeAccounts, .useService])
        #expect(shuffled == (try consent(permissions: [.seeAccounts, .useService])))
        let all = try consent(permissions: AskPerson.Permission.allCases)
        #expect(all.facts.filter { $0.kind == .ability }.count == AskPerson.Permission.allCases.count)
    }

    @Test func namesOfOthersAreMadeHarmless() throws {
        let decision = try decision(
            .consent(.init(program: "a\u{202E}b", path: "/\u{1B}x\n/y", profile: "p\u{2066}q", permissions: [])))
        #expect(decision.title == "Allow “\u{2068}ab\u{2069}” to use Keyway?")
        #expect(decision.facts[0].detail == "/x /y")
        #expect(decision.facts[1].detail == "pq")
    }

    @Test func anAccountOfAnotherSiteNamesBothSites() throws {
        let question = AskPerson.OtherSite(
            provider: provider, account: "ada", accountService: "shop.example", service: "evil.example")
        let decision = try decision(.otherSite(question))
        #expect(decision.text.contains("shop.example"))
        #expect(decision.text.contains("evil.example"))
        #expect(decision.facts.map(\.detail) == ["ada", "shop.example", "evil.example", "Manager"])
        #expect(decision.isRisky)
        #expect(Sheet(.otherSite(question), in: .english).header == SheetHeader(system: "evil.example"))
    }

    @Test func ofAnAccountThatNobodyPlacesTheQuestionSaysSo() throws {
        let question = AskPerson.OtherSite(
            provider: provider, account: "Code", accountService: "", service: "evil.example")
        let decision = try decision(.otherSite(question))
        #expect(decision.text.contains("doesn’t say which site"))
        #expect(decision.facts.map(\.detail) == ["Code", "evil.example", "Manager"])
    }

    @Test func aProviderThatIsTurnedOnShowsWhatItReaches() throws {
        let decision = try decision(
            .enabling(.init(provider: provider, path: "/opt/m", reaches: ["~/a", "~/b"], isUnconfined: false)))
        #expect(decision.facts.filter { $0.kind == .ability }.map(\.title) == ["~/a", "~/b"])
        #expect(decision.facts.contains(.init(.name, "Identifier", "org.example.manager")))
        #expect(decision.facts.contains(.init(.name, "Folder", "/opt/m")))
        #expect(!decision.isRisky)
    }

    @Test func aProviderThatReachesNothingSaysSo() throws {
        let decision = try decision(
            .enabling(.init(provider: provider, path: "/opt/m", reaches: [], isUnconfined: false)))
        #expect(decision.facts.first?.title == "Access nothing else")
    }

    @Test func aProviderThatNothingConfinesIsWarnedOf() throws {
        let decision = try decision(
            .enabling(.init(provider: provider, path: "/opt/m", reaches: [], isUnconfined: true)))
        #expect(decision.isRisky)
        #expect(!decision.facts.contains { $0.title == "Access nothing else" })
        #expect(!decision.text.hasSuffix(":"))
    }

    @Test(arguments: [true, false])
    func aProviderWhoseMemoryOthersCouldReadIsWarnedOf(isReadable: Bool) throws {
        let decision = try decision(
            .enabling(
                .init(
                    provider: provider, path: "/opt/m", reaches: ["run gpg"], isUnconfined: false,
                    isReadable: isReadable)))
        let warned = decision.facts.contains { $0.kind == .warning && $0.title.contains("read its memory") }
        #expect(warned == isReadable)
    }

    @Test func aDebuggerIsWarnedOf() throws {
        let decision = try decision(.debugging(.init(provider: provider, path: "/opt/m", program: "keyway")))
        #expect(decision.isRisky)
        for fact in [("Program", "keyway"), ("Identifier", "org.example.manager"), ("Folder", "/opt/m")] {
            #expect(decision.facts.contains(.init(.name, fact.0, fact.1)))
        }
    }

    @Test func whatIsTooMuchToReadIsCounted() throws {
        let decision = try decision(
            .enabling(
                .init(provider: provider, path: "/opt/m", reaches: (0..<100).map { "/\($0)" }, isUnconfined: false)))
        #expect(decision.facts.count < 50)
        #expect(decision.facts.dropLast(2).last?.title == "And \u{2068}60\u{2069} more")
        #expect(decision.isRisky)
    }

    @Test(arguments: ["en", "de", "ar"])
    func everyQuestionIsAskedInTheLanguageOfThePerson(tag: String) throws {
        let language = SheetLanguage(environment: ["LANG": "\(tag).UTF-8"])
        let question = AskPerson.Question.otherSite(
            .init(provider: provider, account: "ada", accountService: "a.example", service: "b.example"))
        guard case .decision(let decision) = Sheet(question, in: language).content else { throw NotADecision() }
        #expect(decision.title == language.text(.otherSiteTitle))
        #expect((decision.title == SheetText.otherSiteTitle.rawValue) == (tag == "en"))
    }
}

@Suite struct VerificationSheetTests {
    private let provider = ProviderReference(identifier: "org.example.manager", name: "Manager")

    private func purpose(_ verification: AskPerson.Verification) -> String? {
        switch Sheet(.verification(verification), in: .english).content {
        case .interface(.form(let form)): form.explanation
        case .interface(.progress(let progress)): progress.text
        default: nil
        }
    }

    @Test(arguments: VerificationMethod.allCases)
    func aVerificationNamesAccountSiteAndProvider(method: VerificationMethod) {
        let question = AskPerson.Verification(
            provider: provider, service: "example.com", account: "ada", method: method)
        #expect(Sheet(.verification(question), in: .english).header == SheetHeader(system: "example.com"))
        for name in ["ada", "example.com", "Manager"] { #expect(purpose(question)?.contains(name) == true) }
    }

    @Test(arguments: [
        (VerificationMethod.pin, "Keyway PIN"), (.loginPassword, "Login password"),
        (.masterPassword, "Master password"),
    ])
    func whatIsTypedIsSecret(method: VerificationMethod, label: String) {
        let question = AskPerson.Verification(
            provider: nil, service: nil, account: nil, reason: "Why", method: method, error: "Wrong.")
        guard case .interface(.form(let form)) = Sheet(.verification(question), in: .english).content else {
            Issue.record("it is no form")
            return
        }
        #expect(form.fields == [.init(id: VerificationSheet.field, label: label, kind: .secure)])
        #expect(form.error == "Wrong.")
    }

    @Test func theSystemsOwnReasonStandsAlone() {
        #expect(
            purpose(.init(provider: nil, service: nil, account: nil, reason: "To change the PIN.", method: .pin))
                == "To change the PIN.")
    }

    @Test func theReasonOfAProviderIsSaidToBeItsOwn() {
        let reason = "Your bank asks for this."
        let text = purpose(.init(provider: provider, service: nil, account: nil, reason: reason, method: .pin))
        #expect(text == "\u{2068}Manager\u{2069} gives this reason: \u{2068}\(reason)\u{2069}")
    }

    @Test(arguments: [(nil, nil), (nil, "example.com"), ("ada", nil)] as [(String?, String?)])
    func whateverIsKnownIsSaid(account: String?, service: String?) {
        let text = purpose(.init(provider: provider, service: service, account: account, method: .system))
        for name in [account, service, "Manager"].compactMap(\.self) { #expect(text?.contains(name) == true) }
    }

    @Test func whereNothingIsKnownNothingIsSaid() {
        #expect(purpose(.init(provider: nil, service: nil, account: nil, method: .pin)) == nil)
    }

    @Test func aSensorThatDidNotReadSaysSo() {
        let text = purpose(
            .init(provider: nil, service: nil, account: nil, reason: "Why.", method: .fingerprint, error: "Again."))
        #expect(text == "Again.\n\nWhy.")
    }
}

@Suite @MainActor struct ConsiderationTests {
    private final class Seen {
        var values: [Bool] = []
    }

    private func make() -> (Consideration, ManualTimer, Seen) {
        let (timer, seen) = (ManualTimer(), Seen())
        return (Consideration(timer: timer) { seen.values.append($0) }, timer, seen)
    }

    @Test func yesCountsOnlyAfterAMoment() {
        let (consideration, timer, seen) = make()
        consideration.begin()
        #expect(!consideration.isOver)
        timer.run(from: 0)
        #expect(timer.waiting.map(\.milliseconds).reduce(0, +) == Consideration.time)
        #expect(consideration.isOver)
        #expect(seen.values == [false, true])
    }

    @Test func timeInWhichNothingRanDoesNotCount() {
        let (consideration, timer, _) = make()
        consideration.begin()
        // However late that is: a program that was stopped goes on with what waits.
        timer.fire(0)
        #expect(!consideration.isOver)
        #expect(timer.waiting.count == 2)
    }

    @Test func theTimeOfAnEarlierQuestionDoesNotCount() {
        let (consideration, timer, _) = make()
        consideration.begin()
        consideration.begin()
        timer.fire(0)
        #expect(!consideration.isOver)
        #expect(timer.waiting.count == 2)
        timer.run(from: 1)
        #expect(consideration.isOver)
    }

    @Test func whoComesBackToTheWindowConsidersAgain() {
        let (consideration, timer, seen) = make()
        consideration.begin()
        timer.run(from: 0)
        consideration.beginAgain()
        #expect(!consideration.isOver)
        #expect(seen.values.last == false)
        timer.run(from: timer.waiting.count - 1)
        #expect(consideration.isOver)
    }

    @Test func withoutAQuestionNothingOpens() {
        let (consideration, timer, _) = make()
        consideration.beginAgain()
        #expect(timer.waiting.isEmpty)
        consideration.begin()
        consideration.end()
        timer.fire(0)
        consideration.beginAgain()
        #expect(!consideration.isOver)
        #expect(timer.waiting.count == 1)
    }

    @Test func theWaitIsLongerThanADoubleClick() {
        // GTK's `gtk-double-click-time` is 400 ms.
        #expect(Consideration.time > 400)
    }
}
