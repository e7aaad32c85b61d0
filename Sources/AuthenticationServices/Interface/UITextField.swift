/// What a field is for, as UIKit names it; as far as AutoFill knows it.
public struct UITextContentType: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// A content called `rawValue`.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A user name.
    public static let username = Self(rawValue: "username")
    /// An address for mail.
    public static let emailAddress = Self(rawValue: "email")
    /// A password.
    public static let password = Self(rawValue: "password")
    /// A password that is not in use yet.
    public static let newPassword = Self(rawValue: "new-password")
    /// A one-time code.
    public static let oneTimeCode = Self(rawValue: "one-time-code")
}

/// The small counterpart of UIKit's class: stands for a field of an application's own toolkit.
///
/// When that field gets the focus, the application calls ``becomeFirstResponder()``: that is where the suggestions of
/// `performAutoFillAssistedRequests()` appear. When it loses it, ``resignFirstResponder()``.
open class UITextField: UIControl {
    /// What stands in the field.
    open var text: String?
    /// What the field says while it is empty.
    open var placeholder: String?
    /// Whether what is typed is hidden.
    open var isSecureTextEntry = false
    /// What the field is for.
    open var textContentType: UITextContentType?

    /// Whether the field has the focus.
    open var isEditing: Bool { isFirstResponder }

    /// A field takes the focus while it may be used.
    open override var canBecomeFirstResponder: Bool { isEnabled }

    /// The field has the focus: suggestions appear if AutoFill-assisted requests wait, and the content fits.
    @discardableResult
    open override func becomeFirstResponder() -> Bool {
        guard super.becomeFirstResponder() else { return false }
        FieldFocus.process.begin(textContentType)
        return true
    }
}
