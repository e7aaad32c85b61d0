import AuthenticationServices
import AutoFillProtocol
import Testing

/// A controller that writes down its life.
@MainActor
private final class Screen: UIViewController {
    final class Journal {
        var lines: [String] = []
    }

    private var name = ""
    private var journal = Journal()
    var onEvent: (InterfaceEvent) -> Void = { _ in }

    convenience init(_ name: String, _ journal: Journal, interface text: String? = nil) {
        self.init()
        (self.name, self.journal) = (name, journal)
        interface = text.map { .message(InterfaceMessage(title: $0, text: "")) }
    }

    override func viewDidLoad() { journal.lines.append("\(name) load") }
    override func viewWillAppear(_ animated: Bool) { journal.lines.append("\(name) will") }
    override func viewDidAppear(_ animated: Bool) { journal.lines.append("\(name) did") }
    override func viewWillDisappear(_ animated: Bool) { journal.lines.append("\(name) will not") }
    override func viewDidDisappear(_ animated: Bool) { journal.lines.append("\(name) did not") }
    override func willMove(toParent parent: UIViewController?) { journal.lines.append("\(name) moves") }
    override func didMove(toParent parent: UIViewController?) {
        journal.lines.append("\(name) moved \(parent == nil ? "away" : "in")")
    }
    override func interface(didReceive event: InterfaceEvent) {
        journal.lines.append("\(name) event")
        onEvent(event)
    }
}

@MainActor
@Suite("Controllers that show others", .timeLimit(.minutes(2)))
struct ContainmentTests {
    private let journal = Screen.Journal()

    private func title(_ interface: ProviderInterface?) -> String? {
        if case .message(let message) = interface { message.title } else { nil }
    }

    @Test func aPresentedControllerStandsInThePresentersPlace() async throws {
        let root = Screen("root", journal, interface: "root")
        let sheet = Screen("sheet", journal, interface: "sheet")
        root.willAppear()
        root.didAppear()
        var finished = false
        root.present(sheet, animated: true) { finished = true }
        #expect(!finished, "not within the call")
        #expect(root.shown === sheet && root.presentedViewController === sheet)
        #expect(sheet.presentingViewController === root)
        try await eventually { finished }
        #expect(journal.lines == ["root load", "root will", "root did", "sheet load", "sheet will", "sheet did"])
        journal.lines = []
        sheet.dismiss(animated: true) { finished = false }
        #expect(root.shown === root && root.presentedViewController == nil && sheet.presentingViewController == nil)
        #expect(journal.lines == ["sheet will not", "sheet did not"])
        try await eventually { !finished }
    }

    @Test func onlyOneControllerIsPresentedAtATime() async throws {
        let root = Screen("root", journal)
        let (one, two) = (Screen("one", journal), Screen("two", journal))
        root.present(one, animated: false)
        root.present(two, animated: false) { Issue.record("presented") }
        #expect(root.presentedViewController === one && two.presentingViewController == nil)
        one.present(two, animated: false)
        #expect(root.shown === two)
        // Taking one away takes what it presents along.
        root.dismiss(animated: false)
        #expect(root.shown === root)
        root.present(two, animated: false) { Issue.record("presented") }
        #expect(root.presentedViewController == nil, "it is still presented by the other")
        await Task.yield()
    }

    @Test func aChildWithAnInterfaceStandsInItsParentsPlace() {
        let root = Screen("root", journal, interface: "root")
        let (plain, child) = (Screen("plain", journal), Screen("child", journal, interface: "child"))
        var shown: [String?] = []
        root.presentation = { shown.append(title($0)) }
        root.willAppear()
        root.didAppear()
        journal.lines = []
        root.addChild(child)
        child.didMove(toParent: root)
        #expect(journal.lines == ["child moves", "child load", "child will", "child did", "child moved in"])
        #expect(root.children == [child] && child.parent === root && root.shown === child)
        root.addChild(plain)
        #expect(root.shown === child, "a child that shows nothing hides nobody")
        plain.interface = .message(InterfaceMessage(title: "plain", text: ""))
        #expect(root.shown === plain)
        plain.interface = nil
        journal.lines = []
        child.removeFromParent()
        #expect(journal.lines == ["child will not", "child did not", "child moved away"])
        #expect(root.children == [plain] && child.parent == nil && root.shown === root)
        #expect(shown == ["child", "plain", "child", "root"])
    }

    @Test func aChildOfAnotherIsTakenFromThere() {
        let (one, two, child) = (Screen("one", journal), Screen("two", journal), Screen("child", journal))
        one.addChild(child)
        two.addChild(child)
        #expect(one.children.isEmpty && two.children == [child] && child.parent === two)
    }

    @Test func whoeverIsShownSeesTheWholeLife() {
        let (root, child) = (Screen("root", journal), Screen("child", journal))
        let (sheet, inner) = (Screen("sheet", journal), Screen("inner", journal))
        sheet.addChild(inner)
        root.addChild(child)
        root.present(sheet, animated: false)
        journal.lines = []
        root.willAppear()
        root.didAppear()
        #expect(
            journal.lines == [
                "root load", "root will", "child will", "sheet will", "inner will", "root did", "child did",
                "sheet did", "inner did",
            ])
        journal.lines = []
        root.willDisappear()
        root.didDisappear()
        #expect(
            journal.lines == [
                "child will not", "inner will not", "sheet will not", "root will not", "child did not",
                "inner did not", "sheet did not", "root did not",
            ])
    }

    @Test func theFormsOfMacOSAreCalledToo() {
        final class Mac: NSViewController {
            var lines: [String] = []
            override func viewWillAppear() { lines.append("will") }
            override func viewDidAppear() { lines.append("did") }
            override func viewWillDisappear() { lines.append("will not") }
            override func viewDidDisappear() { lines.append("did not") }
        }
        let controller = Mac()
        controller.willAppear()
        controller.didAppear()
        controller.willDisappear()
        controller.didDisappear()
        #expect(controller.lines == ["will", "did", "will not", "did not"])
        controller.preferredContentSize = CGSize(width: 400, height: 300)
        #expect(controller.preferredContentSize.width == 400)
    }

    // MARK: In a request

    @Test func thePersonSeesAndUsesWhatIsShown() async throws {
        let journal = journal
        let broker = try await FakeBroker(
            makeController: ScriptedController.maker { controller in
                controller.interface = .message(InterfaceMessage(title: "root", text: ""))
                let sheet = Screen("sheet", journal, interface: "sheet")
                sheet.onEvent = { _ in
                    (sheet.extensionContext as? ASCredentialProviderExtensionContext)?.completeRequest(
                        withSelectedCredential: .init(user: "from the sheet", password: "x"))
                }
                controller.present(sheet, animated: true)
            })
        async let result = broker.perform(.list([], passkeys: nil))
        let shown = try #require(await broker.nextInterface())
        #expect(title(shown.interface) == "sheet")
        broker.send(.chose(row: "1"), request: shown.request)
        #expect(try await result.credential?.user == "from the sheet")
        #expect(
            journal.lines == [
                "sheet load", "sheet will", "sheet did", "sheet event", "sheet will not", "sheet did not",
            ])
    }

    @Test func backingOutOfAPresentedControllerEndsTheRequest() async throws {
        let journal = journal
        let broker = try await FakeBroker(
            makeController: ScriptedController.maker {
                $0.present(Screen("sheet", journal, interface: "sheet"), animated: true)
            })
        async let result = broker.perform(.list([], passkeys: nil))
        let shown = try #require(await broker.nextInterface())
        broker.send(.cancelled, request: shown.request)
        #expect(try await result.cancellation?.code == ASExtensionError.userCanceled.rawValue)
    }

    @Test func dismissingShowsThePresenterAgain() async throws {
        let journal = journal
        let broker = try await FakeBroker(
            makeController: ScriptedController.maker { controller in
                controller.interface = .message(InterfaceMessage(title: "root", text: ""))
                let sheet = Screen("sheet", journal, interface: "sheet")
                sheet.onEvent = { _ in sheet.dismiss(animated: true) }
                controller.present(sheet, animated: true)
            })
        let request = Task { try await broker.perform(.list([], passkeys: nil)) }
        let first = try #require(await broker.nextInterface())
        broker.send(.chose(row: "1"), request: first.request)
        #expect(title(try #require(await broker.nextInterface()).interface) == "root")
        request.cancel()
        _ = await request.result
    }
}
