import Foundation

/// Which of several controllers is shown, and what each is told of it.
extension UIViewController {
    enum Appearance {
        case hidden
        case appearing
        case visible
        case disappearing
    }

    /// The controller whose interface stands in this one's place: what it presents, else its newest child that has an
    /// interface, else itself.
    package var shown: UIViewController {
        if let presentedViewController { return presentedViewController.shown }
        return children.lazy.map(\.shown).last { $0.interface != nil } ?? self
    }

    private var first: UIViewController { (presenter ?? parent)?.first ?? self }

    private var others: [UIViewController] { children + (presentedViewController.map { [$0] } ?? []) }

    /// The controller's interface changed: it is shown where the controller is.
    func interfaceChanged() {
        let first = first
        let shown = first.shown
        guard shown === self || shown !== first.lastShown else { return }
        first.lastShown = shown
        first.presentation?(shown.interface)
    }

    /// Other controllers came or went; this is the first of them all.
    private func othersChanged() {
        let shown = shown
        guard shown !== lastShown ?? self else { return }
        lastShown = shown
        presentation?(shown.interface)
    }

    /// Calls `completion` later, as UIKit does after a transition.
    func finish(_ completion: (() -> Void)?) {
        guard let completion else { return }
        Task { completion() }
    }

    // MARK: Coming and going with another

    /// Follows `other`, to which the controller now belongs, onto the screen.
    func join(_ other: UIViewController) {
        loadViewIfNeeded()
        if other.appearance == .appearing || other.appearance == .visible { willAppear() }
        first.othersChanged()
        if other.appearance == .visible { didAppear() }
    }

    /// Goes from the screen while `change` separates the controller from the one that it belongs to.
    func leave(_ change: () -> Void) {
        let first = first
        willDisappear()
        change()
        first.othersChanged()
        didDisappear()
    }

    // MARK: Appearing

    /// The controller and all that it shows are about to be shown.
    package func willAppear() {
        loadViewIfNeeded()
        if appearance == .hidden {
            appearance = .appearing
            viewWillAppear(false)
        }
        for other in others { other.willAppear() }
    }

    /// They are shown.
    package func didAppear() {
        if appearance == .appearing {
            appearance = .visible
            layOut()
            viewDidAppear(false)
        }
        for other in others {
            other.willAppear()
            other.didAppear()
        }
    }

    private func layOut() {
        viewIsAppearing(false)
        viewWillLayoutSubviews()
        viewIfLoaded?.layoutIfNeeded()
        viewDidLayoutSubviews()
    }

    /// They are about to go.
    package func willDisappear() {
        for other in others { other.willDisappear() }
        guard appearance == .appearing || appearance == .visible else { return }
        appearance = .disappearing
        viewWillDisappear(false)
    }

    /// They are gone.
    package func didDisappear() {
        for other in others { other.didDisappear() }
        guard appearance == .disappearing else { return }
        appearance = .hidden
        viewDidDisappear(false)
    }
}
