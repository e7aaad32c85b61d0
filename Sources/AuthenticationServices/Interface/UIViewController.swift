public import Foundation

/// The small counterpart of UIKit's class: the life of a controller, without views.
///
/// What UIKit shows with views, a provider here describes as a value: it sets ``interface`` and receives events in
/// ``interface(didReceive:)``. The system draws it, in a terminal or in a window.
@MainActor
open class UIViewController: NSObject {
    /// A controller; the names of nib and bundle mean nothing here.
    public init(nibName: String?, bundle: Bundle?) {
        super.init()
    }

    /// A controller; nothing is read from `coder`.
    public required init?(coder: NSCoder) {
        super.init()
    }

    /// A controller.
    public required convenience override init() {
        self.init(nibName: nil, bundle: nil)
    }

    // MARK: Life

    /// What the controller is about.
    open var title: String?

    /// Whether ``viewDidLoad()`` has been called.
    open private(set) var isViewLoaded = false

    /// Calls ``viewDidLoad()`` when it has not been called before.
    open func loadViewIfNeeded() {
        guard !isViewLoaded else { return }
        isViewLoaded = true
        viewDidLoad()
    }

    /// Called once, before anything is asked of the controller, also when nothing will be shown.
    open func viewDidLoad() {}

    /// Called when the interface is about to be shown.
    open func viewWillAppear(_ animated: Bool) {}

    /// Called when the interface is shown.
    open func viewDidAppear(_ animated: Bool) {}

    /// Called when the interface is about to go away.
    open func viewWillDisappear(_ animated: Bool) {}

    /// Called when the interface has gone away.
    open func viewDidDisappear(_ animated: Bool) {}

    // MARK: Interface

    /// What is shown: the newest value takes the place of the one before. Nothing is drawn before the `prepare…` call
    /// that asked for an interface returned, and nothing at all for a request without user interaction.
    public var interface: ProviderInterface? {
        didSet { presentation?(interface) }
    }

    /// Receives what the person did with ``interface``, in order. This implementation does nothing.
    open func interface(didReceive event: InterfaceEvent) {}

    /// Where a new interface goes while a request is answered.
    package var presentation: ((ProviderInterface?) -> Void)?
}
