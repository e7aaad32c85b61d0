import AuthenticationServices
import Testing

@MainActor
@Suite("Alerts and stacks of controllers")
struct AlertTests {
    private func message(_ interface: ProviderInterface?) -> InterfaceMessage? {
        if case .message(let message) = interface { message } else { nil }
    }

    @Test func anAlertIsAMessageWithItsAnswers() {
        let alert = UIAlertController(title: "Title", message: "Text", preferredStyle: .actionSheet)
        #expect(message(alert.interface) == InterfaceMessage(title: "Title", text: "Text"))
        alert.addAction(UIAlertAction(title: "One", style: .default))
        alert.addAction(UIAlertAction(title: "Two", style: .cancel))
        #expect(message(alert.interface)?.actions == [.init(id: "0", title: "One"), .init(id: "1", title: "Two")])
        alert.message = "Other"
        #expect(message(alert.interface)?.text == "Other")
        #expect(alert.preferredStyle == .actionSheet && alert.actions.map(\.style) == [.default, .cancel])
        for number in 0..<8 { alert.addAction(UIAlertAction(title: "\(number)", style: .destructive)) }
        #expect(message(alert.interface)?.actions.count == 6, "no more than are shown")
    }

    @Test(arguments: [
        (InterfaceEvent.activated(action: "0"), ["zero"]), (.activated(action: "1"), ["one"]),
        (.activated(action: "2"), []), (.activated(action: "9"), []), (.activated(action: "x"), []),
        (.cancelled, ["one"]), (.chose(row: "0"), []),
    ])
    func theChosenAnswerIsCalledWhenTheAlertIsGone(event: InterfaceEvent, called: [String]) {
        let presenter = UIViewController()
        let alert = UIAlertController(title: nil, message: nil, preferredStyle: .alert)
        var names: [String] = []
        for (name, style) in [("zero", UIAlertAction.Style.default), ("one", .cancel), ("two", .default)] {
            let action = UIAlertAction(title: name, style: style) {
                #expect(presenter.presentedViewController == nil)
                names.append($0.title ?? "")
            }
            action.isEnabled = name != "two"
            alert.addAction(action)
        }
        presenter.present(alert, animated: true)
        alert.interface(didReceive: event)
        #expect(names == called)
    }

    @Test func theLastOfAStackIsShown() {
        func screen(_ title: String) -> UIViewController {
            let screen = UIViewController()
            screen.interface = .message(InterfaceMessage(title: title, text: ""))
            return screen
        }
        let (one, two, three) = (screen("one"), screen("two"), screen("three"))
        let stack = UINavigationController(rootViewController: one)
        #expect(stack.shown === one && one.navigationController === stack)
        #expect(stack.popViewController(animated: true) == nil, "the first stays")
        stack.pushViewController(two, animated: true)
        stack.pushViewController(three, animated: true)
        #expect(
            stack.topViewController === three && stack.shown === three && stack.viewControllers == [one, two, three])
        #expect(stack.popViewController(animated: true) === three && three.navigationController == nil)
        #expect(stack.shown === two)
        stack.pushViewController(three, animated: true)
        #expect(stack.popToRootViewController(animated: true) == [two, three])
        stack.viewControllers = [two, one, three]
        #expect(stack.children == [two, one, three] && stack.visibleViewController === three)
        stack.setViewControllers([three, two], animated: false)
        #expect(stack.shown === two && one.parent == nil)
        #expect(UIViewController().navigationController == nil)
        #expect(one.modalPresentationStyle == .automatic && !one.isModalInPresentation)
        #expect(UIModalPresentationStyle(rawValue: 7) == .popover)
    }
}
