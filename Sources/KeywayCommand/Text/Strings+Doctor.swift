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
    static let doctorCanFix = "`keyway doctor --fix` fixes what can be fixed without asking."
    static let runFix = "keyway doctor --fix"

    // MARK: Folders

    static func folderComesLater(_ path: String) -> String { "\(path) will be created when it is needed" }
    static func folderCannotBeMade(_ path: String, in place: String) -> String {
        "\(path) is missing, and \(place) isn't writable"
    }
    static func makeWritable(_ place: String) -> String {
        "Make \(place) a folder that you can write to, or set XDG_DATA_HOME and XDG_STATE_HOME to other folders"
    }
    static func folderMade(_ path: String) -> String { "created \(path)" }
    static func folderClosed(_ path: String) -> String { "closed \(path) to other users" }
    static func notAFolder(_ path: String) -> String { "\(path) is not a folder" }
    static func foreignFolder(_ path: String) -> String { "\(path) belongs to another user" }
    static func openFolder(_ path: String) -> String { "\(path) is open to other users" }
    static func remove(_ path: String) -> String { "rm \(path)" }
    static let noRuntimeFolder =
        "XDG_RUNTIME_DIR is not set, so sockets are in the state folder and remain after you log out"
    static let setRuntimeFolder = "Log in through a login manager that sets it, such as one that uses pam_systemd"

    // MARK: Programs and the system

    static func programMissing(_ path: String) -> String { "\(path) is missing" }
    static func providerVanished(_ identifier: String) -> String {
        "\(identifier) is turned on but no longer installed"
    }
    static func providerChanged(_ name: String) -> String {
        "\(name) has changed since you turned it on, so Keyway turned it off"
    }
    static let installAgain = "Install it again if you need it. Nothing else is affected"
    static let reinstall = "Install Keyway again"
    static let installKit = "Install the package keyway-dev, or Keyway again"
    static func otherRelease(_ version: String) -> String {
        "version \(version) of Keyway is still running, not the installed one. \(endsByItself)"
    }
    static let replacedProgram = "an older program of Keyway is still running, not the installed one. \(endsByItself)"
    private static let endsByItself =
        "It ends by itself once no vault is open and nobody has asked anything for half a minute"
    static let wallsStand = "no other program can pose as part of Keyway or look into it"
    static let wallOfIdentityMissing =
        "Keyway isn't installed for all users with a group. It knows its own programs only by their files, so a program of "
        + "yours that starts or replaces one of them counts as Keyway"
    static let wallOfMemoryMissing =
        "programs of yours can attach a debugger to Keyway's programs as they start, or load a library into them"
    static let wallOfSocketMissing = "a program of yours that listens on Keyway's socket first is taken for Keyway"
    static let wallOfEnvironmentMissing =
        "variables such as XDG_RUNTIME_DIR and XDG_DATA_HOME decide where Keyway looks for its files and its socket"
    static let installForEverybody =
        "Install the Debian packages, or install from source with `sudo Tools/install --group keyway`"
    static let coreDumpsOff = "off"
    static let coreDumpsOn = "on: a crash could write secrets to disk"
    static let noLimit = "no limit"
    static func mayLock(_ kibibytes: UInt64) -> String { "Keyway can lock \(kibibytes) KiB" }
    static func mayLockTooLittle(_ kibibytes: UInt64) -> String {
        "Keyway can lock only \(kibibytes) KiB, so secrets could be written to swap"
    }
    static let raiseLockLimit = "Raise memlock in /etc/security/limits.conf to 8192 or more, then log in again"
    static let loginManagerFound = "reports when the session locks and when the computer sleeps"
    static let noLoginManager = "systemd-logind isn't running, so the vault locks only when idle or by command"
    static let lockByHand = "Run keyway passwords lock when you leave"

    // MARK: Browsers

    static let noBrowser = "found no supported browser"
    static func registered(_ name: String) -> String { "\(name) is connected to Keyway" }
    static func nowRegistered(_ name: String) -> String {
        "connected \(name) to Keyway; restart \(name) if it is running"
    }
    static func hostMissing(_ path: String) -> String { "\(path), which connects browsers to Keyway, is missing" }
    static let manifestMissing = "the file that connects the browser to Keyway is missing"
    static let manifestUnreadable = "the file isn't valid"
    static let manifestNotOurs = "the file isn't for Keyway"
    static let manifestAllowsOthers = "the file doesn't allow Keyway's extension, or allows others too"
    static func manifestPathMissing(_ path: String) -> String { "the file names \(path), which can't be run" }
    static func manifestPathDiffers(_ path: String) -> String {
        "the file names \(path), which belongs to another installation"
    }
    static func extensionFound(_ name: String) -> String { "the extension is installed in \(name)" }
    static func extensionNotFound(_ name: String) -> String {
        "found no extension in \(name) (one that is loaded only for a session can't be found)"
    }
    static func extensionNotTaken(_ name: String) -> String {
        "the extension is installed on this computer, but no profile that you use in \(name) has it yet"
    }
    static func extensionOff(_ name: String, profile: String) -> String {
        "the extension is installed in \(name), but turned off (profile \(profile))"
    }
    static let turnOnInChromium = "Open chrome://extensions and turn it on"
    static let turnOnInFirefox = "Open about:addons, choose Extensions, and turn it on"
    static func sitesWithheld(_ name: String, profile: String) -> String {
        "\(name) doesn't let the extension see all sites, so it can't fill there (profile \(profile))"
    }
    static func grantSites(_ name: String) -> String {
        "Click Keyway's icon in \(name)'s toolbar and allow access, then reload the page"
    }
    static func restart(_ name: String) -> String {
        "Close all windows of \(name) and start it again. If the extension still isn't there, look for it in about:addons"
    }
    static func loadInChromium(_ folder: String) -> String {
        "Open chrome://extensions, turn on Developer mode, choose Load unpacked, and select \(folder)"
    }
    static func loadInFirefox(_ folder: String) -> String {
        "Open about:debugging#/runtime/this-firefox, choose Load Temporary Add-on, and select \(folder)/manifest.json"
    }
    static func wrapperMissing(_ path: String) -> String {
        "\(path), which starts Keyway's browser program outside the sandbox, is missing"
    }
    static func wrapperWritten(_ path: String) -> String { "created \(path)" }
    static let flatpakAllowed = "it can start programs outside its sandbox, including Keyway's browser program"
    static func flatpakForbidden(_ name: String) -> String {
        "\(name) can't start Keyway's browser program. The command below lets it start any of your programs, so "
            + "its sandbox no longer protects you"
    }
    static func snapNeedsPortal(_ name: String) -> String {
        "\(name) connects to Keyway through a desktop portal that only Ubuntu 22.04 and later has. The portal asks you "
            + "once; the command below allows it in advance"
    }
    static func snapCannot(_ name: String) -> String { "\(name) can't connect to Keyway, whatever its settings" }
    static let useOther = "Install this browser from your distribution or from Flatpak, or use Firefox"
}
