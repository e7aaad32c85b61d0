public import Foundation

/// The small counterpart of UIKit's class: the life of a controller, and of those that it shows, without views.
///
/// What UIKit shows with views, a provider here describes as a value: it sets ``interface`` and receives events in
/// ``interface(didReceive:)``. The system draws it, in a terminal or in a window. A controller that is presented or
/// added as a child is shown in the place of the one that did so, and receives the events.
open class UIViewController: UIResponder {
    /// A controller; the names of nib and bundle mean nothing here.
    public init(nibName: String?, bundle: Bundle?) {
        super.init()
    }

    /// A controller; nothing is read from `coder`.
    public required init?(coder: NSCoder) {
        super.init()
    }

    /// A controller.
    public convenience override init() {
        self.init(nibName: nil, bundle: nil)
    }

    // MARK: Life

    /// What the controller is about.
    open var title: String?

    /// How large the controller would like to be. Presenters here choose the size themselves.
    open var preferredContentSize = CGSize.zero

    /// How the controller would like to be presented. Presenters here decide that themselves.
    open var modalPresentationStyle = UIModalPresentationStyle.automatic

    /// Whether only the controller itself takes itself away. The system's way to cancel is there in any case.
    open var isModalInPresentation = false

    /// Whether the view has been loaded.
    open private(set) var isViewLoaded = false

    private var loadedView: UIView?

    /// The controller's view, which is loaded when it is asked for. It is part of the tree of views and draws nothing.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    // UIKit's type, which callers write neither `?` nor `!` behind.
    open var view: UIView! {
        get {
            loadViewIfNeeded()
            return loadedView
        }
        set {
            loadedView?.controller = nil
            loadedView = newValue
            newValue?.controller = self
        }
    }

    /// The view, if it has been loaded.
    open var viewIfLoaded: UIView? { loadedView }

    /// Makes the view. This implementation makes an empty one; an override sets ``view``.
    open func loadView() {
        view = UIView()
    }

    /// Calls ``loadView()`` and ``viewDidLoad()`` when they have not been called before.
    open func loadViewIfNeeded() {
        guard !isViewLoaded else { return }
        isViewLoaded = true
        loadView()
        viewDidLoad()
    }

    /// Called once, before anything is asked of the controller, also when nothing will be shown.
    open func viewDidLoad() {}

    /// Called when the interface is about to be shown. This implementation calls ``viewWillAppear()``.
    open func viewWillAppear(_ animated: Bool) { viewWillAppear() }

    /// Called when the interface is shown. This implementation calls ``viewDidAppear()``.
    open func viewDidAppear(_ animated: Bool) { viewDidAppear() }

    /// Called when the interface is about to go away. This implementation calls ``viewWillDisappear()``.
    open func viewWillDisappear(_ animated: Bool) { viewWillDisappear() }

    /// Called when the interface has gone away. This implementation calls ``viewDidDisappear()``.
    open func viewDidDisappear(_ animated: Bool) { viewDidDisappear() }

    /// The form of macOS of ``viewWillAppear(_:)``.
    open func viewWillAppear() {}

    /// The form of macOS of ``viewDidAppear(_:)``.
    open func viewDidAppear() {}

    /// The form of macOS of ``viewWillDisappear(_:)``.
    open func viewWillDisappear() {}

    /// The form of macOS of ``viewDidDisappear(_:)``.
    open func viewDidDisappear() {}

    // MARK: Layout

    /// Called between ``viewWillAppear(_:)`` and ``viewDidAppear(_:)``, when traits and size are settled.
    open func viewIsAppearing(_ animated: Bool) {}

    /// Called before the views are arranged: once when the controller appears.
    open func viewWillLayoutSubviews() {}

    /// Called when the views are arranged: once when the controller appears.
    open func viewDidLayoutSubviews() {}

    /// Updates the constraints; never called here.
    open func updateViewConstraints() {}

    /// Never called here.
    open func viewSafeAreaInsetsDidChange() {}

    /// Never called here.
    open func viewLayoutMarginsDidChange() {}

    /// Never called here: the system ends an extension that takes too much memory.
    open func didReceiveMemoryWarning() {}

    // MARK: Surroundings

    /// What surrounds the interface.
    open var traitCollection: UITraitCollection { UITraitCollection() }

    /// Whether the interface would be dark; the presenter follows the person's own setting.
    open var overrideUserInterfaceStyle = UIUserInterfaceStyle.unspecified

    /// Never called here.
    open func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {}

    /// Never called here.
    open func willTransition(
        to newCollection: UITraitCollection, with coordinator: any UIViewControllerTransitionCoordinator
    ) {}

    /// Never called here.
    open func viewWillTransition(to size: CGSize, with coordinator: any UIViewControllerTransitionCoordinator) {}

    /// How the controller would take another's place; presenters here have their own way.
    open var modalTransitionStyle = UIModalTransitionStyle.coverVertical

    /// Whether what is presented would stay within this controller.
    open var definesPresentationContext = false

    /// How the line above an application would look.
    open var preferredStatusBarStyle: UIStatusBarStyle { .default }

    /// Whether that line would be hidden.
    open var prefersStatusBarHidden: Bool { false }

    /// How that line would come and go.
    open var preferredStatusBarUpdateAnimation: UIStatusBarAnimation { .fade }

    /// The controller that says how that line looks.
    open var childForStatusBarStyle: UIViewController? { nil }

    /// The controller that says whether that line is hidden.
    open var childForStatusBarHidden: UIViewController? { nil }

    /// Does nothing: there is no such line.
    open func setNeedsStatusBarAppearanceUpdate() {}

    /// Whether the bar below an application would be hidden.
    open var prefersHomeIndicatorAutoHidden: Bool { false }

    /// Whether the interface would turn with the device.
    open var shouldAutorotate: Bool { true }

    /// How the device may be held.
    open var supportedInterfaceOrientations: UIInterfaceOrientationMask { .all }

    /// How the device should be held when the controller is presented.
    open var preferredInterfaceOrientationForPresentation: UIInterfaceOrientation { .portrait }

    // MARK: Focus and editing

    /// The view around the controller's view, or the controller that shows this one.
    open override var next: UIResponder? { viewIfLoaded?.superview ?? parent ?? presenter }

    /// Whether the controller lets the person change what it shows.
    open var isEditing = false

    /// Sets ``isEditing``.
    open func setEditing(_ editing: Bool, animated: Bool) {
        isEditing = editing
    }

    // MARK: Interface

    /// What is shown: the newest value takes the place of the one before. Nothing is drawn before the `prepare…` call
    /// that asked for an interface returned, and nothing at all for a request without user interaction.
    public var interface: ProviderInterface? {
        didSet { interfaceChanged() }
    }

    /// Receives what the person did with ``interface``, in order. This implementation does nothing.
    open func interface(didReceive event: InterfaceEvent) {}

    /// Ends the extension's request: that of the controller that shows this one.
    open var extensionContext: NSExtensionContext? { (parent ?? presenter)?.extensionContext }

    /// Where a new interface goes while a request is answered; set for the first controller only.
    package var presentation: ((ProviderInterface?) -> Void)?

    // MARK: Other controllers

    /// The controllers that belong to this one, in the order in which they were added.
    open internal(set) var children: [UIViewController] = []

    /// The controller that this one belongs to.
    open internal(set) weak var parent: UIViewController?

    /// The controller that this one presents.
    open internal(set) var presentedViewController: UIViewController?

    /// The controller that presents this one, or the one that it belongs to.
    open var presentingViewController: UIViewController? { presenter ?? parent?.presentingViewController }

    weak var presenter: UIViewController?
    weak var lastShown: UIViewController?
    var appearance = Appearance.hidden

    /// Shows `viewControllerToPresent` in this one's place, and calls `completion` when it appears. A controller presents
    /// one other at a time.
    open func present(
        _ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)? = nil
    ) {
        guard presentedViewController == nil, viewControllerToPresent.presenter == nil else {
            return Log.line("A controller was to be presented where one is presented already; nothing happens.")
        }
        presentedViewController = viewControllerToPresent
        viewControllerToPresent.presenter = self
        viewControllerToPresent.join(self)
        finish(completion)
    }

    /// Takes the presented controller away, or this one where it presents none; then calls `completion`.
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
        if presentedViewController == nil, let presentingViewController {
            return presentingViewController.dismiss(animated: flag, completion: completion)
        }
        if let presented = presentedViewController {
            presented.leave {
                presentedViewController = nil
                presented.presenter = nil
            }
        }
        finish(completion)
    }

    /// Makes `childController` one of ``children``; it is taken from where it was.
    open func addChild(_ childController: UIViewController) {
        if childController.parent != nil { childController.removeFromParent() }
        childController.willMove(toParent: self)
        children.append(childController)
        childController.parent = self
        childController.join(self)
    }

    /// Takes this controller from its parent's ``children``.
    open func removeFromParent() {
        guard let parent else { return }
        leave {
            parent.children.removeAll { $0 === self }
            self.parent = nil
        }
        didMove(toParent: nil)
    }

    /// Called before the controller gets another parent, or none. This implementation does nothing.
    open func willMove(toParent parent: UIViewController?) {}

    /// Called after the controller got another parent, or none; code that adds a child calls it. This implementation does
    /// nothing.
    open func didMove(toParent parent: UIViewController?) {}
}

/// The name of a controller in code for macOS.
public typealias NSViewController = UIViewController
