public import Foundation

/// One answer to an alert.
@preconcurrency
@MainActor
open class UIAlertAction: NSObject {
    /// What kind of answer it is.
    public enum Style: Int, Sendable {
        /// An ordinary one.
        case `default` = 0
        /// Backing out.
        case cancel = 1
        /// One that destroys something.
        case destructive = 2
    }

    /// What is written on it.
    public let title: String?

    /// What kind of answer it is.
    public let style: Style

    /// Whether it may be chosen.
    open var isEnabled = true

    private let handler: ((UIAlertAction) -> Void)?

    /// An answer; `handler` is called when it was chosen and the alert is gone.
    public init(title: String?, style: Style, handler: ((UIAlertAction) -> Void)? = nil) {
        self.title = title
        self.style = style
        self.handler = handler
        super.init()
    }

    func choose() {
        if isEnabled { handler?(self) }
    }
}

/// The small counterpart of UIKit's class: a message with answers, of which six are shown. The system adds the way to
/// cancel; that ends the request, as backing out always does, after the answer of the style `cancel` was called.
open class UIAlertController: UIViewController {
    /// How an alert is shown: here, all alike.
    public enum Style: Int, Sendable {
        /// From the edge.
        case actionSheet = 0
        /// In the middle.
        case alert = 1
    }

    /// How the alert would be shown.
    open private(set) var preferredStyle = Style.alert

    /// What the alert says.
    open var message: String? {
        didSet { describe() }
    }

    /// What the alert is about.
    open override var title: String? {
        didSet { describe() }
    }

    /// The answers, in the order in which they were added.
    open private(set) var actions: [UIAlertAction] = []

    /// The answer that the presenter may choose by default; nothing depends on it.
    open var preferredAction: UIAlertAction?

    /// An alert without answers.
    public convenience init(title: String?, message: String?, preferredStyle: Style) {
        self.init(nibName: nil, bundle: nil)
        self.preferredStyle = preferredStyle
        self.title = title
        self.message = message
        // An initialiser of its own class calls no observers.
        describe()
    }

    /// Adds an answer.
    open func addAction(_ action: UIAlertAction) {
        actions.append(action)
        describe()
    }

    /// Takes the alert away and calls the answer that was chosen.
    open override func interface(didReceive event: InterfaceEvent) {
        let chosen: UIAlertAction? =
            switch event {
            case .activated(let id): Int(id).flatMap { actions.indices.contains($0) ? actions[$0] : nil }
            case .cancelled: actions.first { $0.style == .cancel }
            case .chose, .submitted, .searched: nil
            }
        guard let chosen else { return }
        dismiss(animated: false)
        chosen.choose()
    }

    private func describe() {
        let shown = actions.enumerated().filter { $1.isEnabled }.prefix(ProviderInterface.maximumActions)
        let answers = shown.map { InterfaceMessage.Action(id: String($0), title: $1.title ?? "") }
        interface = .message(InterfaceMessage(title: title ?? "", text: message ?? "", actions: answers))
    }
}
