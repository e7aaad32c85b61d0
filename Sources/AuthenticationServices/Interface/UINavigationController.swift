/// The small counterpart of UIKit's class: a stack of controllers, of which the last is shown.
open class UINavigationController: UIViewController {
    /// A stack of one.
    public convenience init(rootViewController: UIViewController) {
        self.init(nibName: nil, bundle: nil)
        addChild(rootViewController)
        rootViewController.didMove(toParent: self)
    }

    /// The stack, the one shown last.
    open var viewControllers: [UIViewController] {
        get { children }
        set { setViewControllers(newValue, animated: false) }
    }

    /// The one that is shown.
    open var topViewController: UIViewController? { children.last }

    /// The one that is shown, or what this controller presents.
    open var visibleViewController: UIViewController? { presentedViewController ?? topViewController }

    /// Shows `viewController` in place of the one before.
    open func pushViewController(_ viewController: UIViewController, animated: Bool) {
        addChild(viewController)
        viewController.didMove(toParent: self)
    }

    /// Goes back by one; the first stays.
    @discardableResult
    open func popViewController(animated: Bool) -> UIViewController? {
        guard children.count > 1, let top = topViewController else { return nil }
        remove(top)
        return top
    }

    /// Goes back to the first; returns those that were left.
    @discardableResult
    open func popToRootViewController(animated: Bool) -> [UIViewController]? {
        let left = Array(children.dropFirst())
        for controller in left.reversed() { remove(controller) }
        return left
    }

    /// Makes these the whole stack.
    open func setViewControllers(_ viewControllers: [UIViewController], animated: Bool) {
        for old in children.reversed() where !viewControllers.contains(old) { remove(old) }
        for new in viewControllers where !children.contains(new) { pushViewController(new, animated: animated) }
        children = viewControllers
    }

    private func remove(_ controller: UIViewController) {
        controller.willMove(toParent: nil)
        controller.removeFromParent()
    }
}

extension UIViewController {
    /// The nearest stack that this controller is in.
    public var navigationController: UINavigationController? {
        parent as? UINavigationController ?? parent?.navigationController
    }
}
