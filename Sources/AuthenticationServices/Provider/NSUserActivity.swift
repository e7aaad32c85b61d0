public import Foundation

/// The small counterpart of Foundation's class on Apple's systems: something that one program hands to another.
open class NSUserActivity: NSObject {
    /// What the activity is about, in reverse-domain form.
    public let activityType: String

    /// What people call it.
    open var title: String?

    /// What the other program needs to go on.
    open var userInfo: [AnyHashable: Any]?

    /// An activity of the type `activityType`.
    public init(activityType: String) {
        self.activityType = activityType
        super.init()
    }

    /// Adds to ``userInfo``; what is there under the same keys is replaced.
    open func addUserInfoEntries(from otherDictionary: [AnyHashable: Any]) {
        userInfo = (userInfo ?? [:]).merging(otherDictionary) { $1 }
    }
}
