public import Foundation

/// The small counterpart of UIKit's class: a node in a tree of views. Nothing draws it: what a person sees is
/// ``UIViewController/interface``.
open class UIView: UIResponder {
    /// Where the view would lie in the one around it.
    open var frame: CGRect

    /// Whether the view would be hidden.
    open var isHidden = false

    /// How opaque the view would be.
    open var alpha: CGFloat = 1

    /// Whether the view would take touches.
    open var isUserInteractionEnabled = true

    /// A number of the program's own.
    open var tag = 0

    /// A name for tests.
    open var accessibilityIdentifier: String?

    /// Whether constraints are made of ``frame``; there are none here.
    open var translatesAutoresizingMaskIntoConstraints = true

    /// The view around this one.
    open private(set) weak var superview: UIView?

    /// The views in this one, the topmost last.
    open private(set) var subviews: [UIView] = []

    weak var controller: UIViewController?

    /// A view that would lie at `frame`.
    public init(frame: CGRect) {
        self.frame = frame
        super.init()
    }

    /// A view; nothing is read from `coder`.
    public required init?(coder: NSCoder) {
        frame = .zero
        super.init()
    }

    /// A view without a size.
    public convenience override init() {
        self.init(frame: .zero)
    }

    /// The place of the view in its own terms.
    open var bounds: CGRect {
        get { CGRect(origin: .zero, size: frame.size) }
        set { frame.size = newValue.size }
    }

    /// The window that the view is in.
    open var window: UIWindow? { superview?.window }

    /// The controller whose view this is, or the view around this one.
    open override var next: UIResponder? { controller ?? superview }

    // MARK: The tree

    /// Puts `view` on top of the views in this one; it is taken from where it was.
    open func addSubview(_ view: UIView) {
        insertSubview(view, at: subviews.count)
    }

    /// Puts `view` among the views in this one; it is taken from where it was.
    open func insertSubview(_ view: UIView, at index: Int) {
        view.removeFromSuperview()
        view.willMove(toSuperview: self)
        subviews.insert(view, at: min(max(index, 0), subviews.count))
        view.superview = self
        view.didMoveToSuperview()
        didAddSubview(view)
    }

    /// Takes the view out of the one around it.
    open func removeFromSuperview() {
        guard let superview else { return }
        willMove(toSuperview: nil)
        superview.willRemoveSubview(self)
        superview.subviews.removeAll { $0 === self }
        self.superview = nil
        didMoveToSuperview()
    }

    /// Whether the view is `view`, or somewhere in it.
    open func isDescendant(of view: UIView) -> Bool {
        self === view || superview?.isDescendant(of: view) ?? false
    }

    /// Called when a view was put into this one.
    open func didAddSubview(_ subview: UIView) {}

    /// Called before a view is taken out of this one.
    open func willRemoveSubview(_ subview: UIView) {}

    /// Called before the view is put into another one, or into none.
    open func willMove(toSuperview newSuperview: UIView?) {}

    /// Called when the view was put into another one, or into none.
    open func didMoveToSuperview() {}

    // MARK: Layout, focus

    /// Arranges the views in this one; called by ``layoutIfNeeded()`` after ``setNeedsLayout()``.
    open func layoutSubviews() {}

    private var needsLayout = false

    /// Says that the views in this one want to be arranged anew.
    open func setNeedsLayout() {
        needsLayout = true
    }

    /// Arranges the views in this one where ``setNeedsLayout()`` asked for it.
    open func layoutIfNeeded() {
        guard needsLayout else { return }
        needsLayout = false
        layoutSubviews()
    }

    /// Takes the focus from the view, or from the one in it that has it; returns whether none has it then.
    @discardableResult
    open func endEditing(_ force: Bool) -> Bool {
        if isFirstResponder { return resignFirstResponder() || force }
        return subviews.allSatisfy { $0.endEditing(force) }
    }
}

/// The small counterpart of UIKit's class: a view that a person uses.
open class UIControl: UIView {
    /// Whether it may be used.
    open var isEnabled = true

    /// Whether it is chosen.
    open var isSelected = false
}

/// The name of a view in code for macOS.
public typealias NSView = UIView
