public import Foundation

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
/// `performAutoFillAssistedRequests()` appear.
@MainActor
open class UITextField: NSObject {
    /// A field.
    public override init() {
        super.init()
    }

    /// What stands in the field.
    open var text: String?
    /// What the field is for.
    open var textContentType: UITextContentType?

    /// The field has the focus: suggestions appear if AutoFill-assisted requests wait, and the content fits.
    @discardableResult
    open func becomeFirstResponder() -> Bool {
        FieldFocus.process.begin(textContentType)
        return true
    }
}
