public import Foundation

/// What is known of a change on the screen while it goes on.
@preconcurrency
@MainActor
public protocol UIViewControllerTransitionCoordinatorContext: NSObjectProtocol {
    /// Whether it is shown as a movement.
    var isAnimated: Bool { get }

    /// Whether it was taken back.
    var isCancelled: Bool { get }
}

/// Runs what a controller wants to do along with a change on the screen. No change of that kind happens here, so nobody is
/// handed one.
@preconcurrency
@MainActor
public protocol UIViewControllerTransitionCoordinator: UIViewControllerTransitionCoordinatorContext {
    /// Runs `animation` during the change and `completion` after it; returns whether the first is run.
    @discardableResult
    func animate(
        alongsideTransition animation: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?,
        completion: ((any UIViewControllerTransitionCoordinatorContext) -> Void)?
    ) -> Bool
}
