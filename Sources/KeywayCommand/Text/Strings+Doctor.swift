/// What `doctor` says.
extension Strings {
    static func mark(_ status: Check.Status) -> String {
        switch status {
        case .ok: "ok     "
        case .warning: "warning"
        case .failed: "FAILED "
        case .fixed: "fixed  "
        }
    }
    static let remedyStart = "         -> "
    static let doctorCanFix = "`keyway doctor --fix` repairs what can be repaired without asking."
    static let runFix = "keyway doctor --fix"

    // MARK: Folders

    static func folderComesLater(_ path: String) -> String { "\(path) is made when it is needed" }
    static func folderCannotBeMade(_ path: String, in place: String) -> String {
        "\(path) is missing and cannot be made: \(place) cannot be written to"
    }
    static func makeWritable(_ place: String) -> String {
        "Make \(place) a folder that you may write to, or set XDG_DATA_HOME and XDG_STATE_HOME to others"
    }
    static func folderMade(_ path: String) -> String { "\(path) was made" }
    static func folderClosed(_ path: String) -> String { "\(path) was closed to other users" }
    static func notAFolder(_ path: String) -> String { "\(path) is not a folder" }
    static func foreignFolder(_ path: String) -> String { "\(path) belongs to another user" }
    static func openFolder(_ path: String) -> String { "\(path) is open to other users" }
    static func remove(_ path: String) -> String { "rm \(path)" }
    static let noRuntimeFolder = "XDG_RUNTIME_DIR is not set: sockets lie in the state folder and outlive a sign-out"
    static let setRuntimeFolder = "Sign in through a login manager that sets it (pam_systemd does)"

    // MARK: Programs and the system

    static func programMissing(_ path: String) -> String { "\(path) is missing" }
    static func providerVanished(_ identifier: String) -> String {
        "\(identifier) is turned on, and not installed any more"
    }
    static let installAgain = "Install it again, or leave it: nothing else is affected"
    static let reinstall = "Install Keyway again"
    static func otherRelease(_ version: String) -> String { "the broker that runs is of release \(version)" }
    static let coreDumpsOff = "off"
    static let coreDumpsOn = "this process could leave a core dump"
    static let noLimit = "no limit"
    static func mayLock(_ kibibytes: UInt64) -> String { "\(kibibytes) KiB may be locked" }
    static func mayLockTooLittle(_ kibibytes: UInt64) -> String {
        "only \(kibibytes) KiB may be locked: secrets could be written to swap"
    }
    static let raiseLockLimit = "Raise memlock in /etc/security/limits.conf to 8192 or more, and sign in again"
    static let loginManagerFound = "tells when the session locks and when the machine sleeps"
    static let noLoginManager = "systemd-logind is not there: the vault locks by idle time and by command only"
    static let lockByHand = "keyway passwords lock, when you leave"

    // MARK: Browsers

    static let noBrowser = "no browser that is known was found"
    static func registered(_ name: String) -> String { "\(name) finds the native host" }
    static func nowRegistered(_ name: String) -> String { "\(name) was told of the native host; restart it if it runs" }
    static func hostMissing(_ path: String) -> String { "\(path), the native host, is missing" }
    static let manifestMissing = "the native host is not registered"
    static let manifestUnreadable = "the file cannot be understood"
    static let manifestNotOurs = "the file is not for Keyway"
    static let manifestAllowsOthers = "the file does not name our extension, or names others too"
    static func manifestPathMissing(_ path: String) -> String { "it names \(path), which cannot be run" }
    static func manifestPathDiffers(_ path: String) -> String { "it names \(path), of another installation" }
    static func extensionFound(_ name: String) -> String { "\(name) has the extension" }
    static func extensionNotFound(_ name: String) -> String {
        "\(name) shows no trace of the extension (one that is loaded for a session only leaves none)"
    }
    static func loadInChromium(_ folder: String) -> String {
        "Open chrome://extensions, turn on Developer mode, choose Load unpacked, and take \(folder)"
    }
    static func loadInFirefox(_ folder: String) -> String {
        "Open about:debugging#/runtime/this-firefox, choose Load Temporary Add-on, and take \(folder)/manifest.json"
    }
    static func wrapperMissing(_ path: String) -> String { "\(path), which starts the native host outside, is missing" }
    static func wrapperWritten(_ path: String) -> String { "\(path) was written" }
    static let flatpakAllowed = "it may start programs outside of its sandbox, and so the native host"
    static func flatpakForbidden(_ name: String) -> String {
        "\(name) may not start the native host. The command below lets it start any program of yours: "
            + "its sandbox then protects you no more than a browser from the system does"
    }
    static func snapNeedsPortal(_ name: String) -> String {
        "\(name) starts native hosts through the desktop portal for them, which Ubuntu has since 22.04 and others lack; "
            + "it asks once, or the command below says yes beforehand"
    }
    static func snapCannot(_ name: String) -> String { "\(name) cannot start native hosts, whatever is set" }
    static let useOther = "Use this browser from the system's packages or from Flatpak, or Firefox"
}
