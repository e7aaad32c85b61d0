/// A browser that may be installed, and where it looks for native hosts.
package struct Browser: Hashable, Sendable {
    /// Whose extensions it takes, and so which host manifest it reads.
    package enum Family: Hashable, Sendable {
        case chromium, firefox
    }

    /// Where it came from.
    package enum Packaging: Hashable, Sendable {
        /// From the system: it may start any program.
        case system
        /// From Flatpak, with this application id.
        case flatpak(String)
        /// From Snap, with this name.
        case snap(String)
    }

    /// A stable word.
    package let word: String
    /// What people call it.
    package let name: String
    /// Its family.
    package let family: Family
    /// Where it came from.
    package let packaging: Packaging
    /// The folder, below home, that is there once it was used.
    package let profile: String
    /// The folder, below home, where it looks for manifests of native hosts.
    package let hosts: String

    private init(
        _ word: String, _ name: String, _ family: Family, _ packaging: Packaging = .system, profile: String,
        hosts: String
    ) {
        self.word = word
        self.name = name
        self.family = family
        self.packaging = packaging
        self.profile = profile
        self.hosts = hosts
    }

    private static func chromium(_ word: String, _ name: String, _ folder: String) -> Browser {
        Browser(
            word, name, .chromium, profile: ".config/\(folder)", hosts: ".config/\(folder)/NativeMessagingHosts")
    }

    private static func flatpak(_ word: String, _ name: String, _ id: String, config: String) -> Browser {
        let folder = ".var/app/\(id)/config/\(config)"
        return Browser(
            word, name, .chromium, .flatpak(id), profile: ".var/app/\(id)", hosts: "\(folder)/NativeMessagingHosts")
    }

    private static func flatpakFirefox(_ word: String, _ name: String, _ id: String, folder: String) -> Browser {
        Browser(
            word, name, .firefox, .flatpak(id), profile: ".var/app/\(id)",
            hosts: ".var/app/\(id)/\(folder)/native-messaging-hosts")
    }

    /// Those that we know.
    package static let all = [
        chromium("chromium", "Chromium", "chromium"),
        chromium("chrome", "Google Chrome", "google-chrome"),
        chromium("brave", "Brave", "BraveSoftware/Brave-Browser"),
        chromium("edge", "Microsoft Edge", "microsoft-edge"),
        chromium("vivaldi", "Vivaldi", "vivaldi"),
        Browser(
            "firefox", "Firefox", .firefox, profile: ".mozilla/firefox", hosts: ".mozilla/native-messaging-hosts"),
        flatpak("chromium-flatpak", "Chromium (Flatpak)", "org.chromium.Chromium", config: "chromium"),
        flatpak("chrome-flatpak", "Google Chrome (Flatpak)", "com.google.Chrome", config: "google-chrome"),
        flatpak("brave-flatpak", "Brave (Flatpak)", "com.brave.Browser", config: "BraveSoftware/Brave-Browser"),
        flatpak("edge-flatpak", "Microsoft Edge (Flatpak)", "com.microsoft.Edge", config: "microsoft-edge"),
        flatpak("vivaldi-flatpak", "Vivaldi (Flatpak)", "com.vivaldi.Vivaldi", config: "vivaldi"),
        flatpakFirefox("firefox-flatpak", "Firefox (Flatpak)", "org.mozilla.firefox", folder: ".mozilla"),
        flatpakFirefox(
            "librewolf-flatpak", "LibreWolf (Flatpak)", "io.gitlab.librewolf-community", folder: ".librewolf"),
        Browser(
            "firefox-snap", "Firefox (Snap)", .firefox, .snap("firefox"), profile: "snap/firefox",
            hosts: ".mozilla/native-messaging-hosts"),
        Browser(
            "chromium-snap", "Chromium (Snap)", .chromium, .snap("chromium"), profile: "snap/chromium",
            hosts: "snap/chromium/common/chromium/NativeMessagingHosts"),
    ]

    /// The folder where it looks for manifests that the administrator or a package put there; nil where there is none.
    var systemHosts: String? {
        switch word {
        case "chromium": "/etc/chromium/native-messaging-hosts"
        case "chrome": "/etc/opt/chrome/native-messaging-hosts"
        case "edge": "/etc/opt/edge/native-messaging-hosts"
        // Brave has none of its own.
        case "brave": "/etc/chromium/native-messaging-hosts"
        case "vivaldi": "/etc/opt/vivaldi/native-messaging-hosts"
        case "firefox", "firefox-snap": "/usr/lib/mozilla/native-messaging-hosts"
        default: nil
        }
    }

    /// Whether it is on this machine: this user has a profile, or it is installed for everyone.
    func isPresent(on machine: any Machine) -> Bool {
        if machine.facts("\(machine.home)/\(profile)") != nil { return true }
        switch packaging {
        case .system: return systemPrograms.contains { machine.isExecutable("/usr/bin/\($0)") }
        case .flatpak(let id):
            return ["/var/lib/flatpak", "\(machine.home)/.local/share/flatpak"].contains {
                machine.facts("\($0)/app/\(id)") != nil
            }
        case .snap(let name): return machine.facts("/snap/\(name)") != nil
        }
    }

    private var systemPrograms: [String] {
        switch word {
        case "chromium": ["chromium"]
        case "chrome": ["google-chrome", "google-chrome-stable"]
        case "brave": ["brave-browser"]
        case "edge": ["microsoft-edge", "microsoft-edge-stable"]
        case "vivaldi": ["vivaldi", "vivaldi-stable"]
        default: ["firefox", "firefox-esr"]
        }
    }
}
