import AutoFillProtocol

/// Looks for the extension where browsers keep what they have loaded. One that was loaded for a session only, or by a
/// switch of the command line, leaves no trace and is not found.
struct ExtensionSearch {
    private static let limit = 32 << 20
    /// Where Firefox notes, beside `extensions.json`, what was granted to extensions.
    private static let grants = "extension-preferences.json"

    let machine: any Machine

    /// What was found of the extension in a browser.
    enum Finding {
        case found, missing
        /// It lies where the browser looks, and profiles were used before that; none of them has taken it yet.
        case notTakenYet
        /// It is there, and switched off in the profile in the folder of this name.
        case off(profile: String)
        /// It is there, and the profile in the folder of this name lets it see no sites, or only some.
        case withoutSites(profile: String)
    }

    func search(_ browser: Browser) -> Finding {
        switch browser.family {
        case .chromium:
            let known = chromiumProfiles(browser).filter(knowsExtension)
            if let profile = known.first(where: { says(ExtensionNotes.isOff, $0, .chromium) }) {
                return .off(profile: Self.folder(of: profile).name)
            }
            if let profile = known.first(where: { says(ExtensionNotes.areSitesWithheld, $0, .chromium) }) {
                return .withoutSites(profile: Self.folder(of: profile).name)
            }
            // What starts Debian's Chromium names the folder each time.
            return isSideloaded(in: browser) || !known.isEmpty ? .found : .missing
        case .firefox:
            let used = firefoxProfiles(browser).filter { machine.facts($0) != nil }
            let known = used.filter(knowsExtension)
            if let profile = known.first(where: { says(ExtensionNotes.isOff, $0, .firefox) }) {
                return .off(profile: Self.folder(of: profile).name)
            }
            let profiles = known.map(Self.folder)
            if let profile = profiles.first(where: {
                says(ExtensionNotes.areSitesWithheld, "\($0.path)/\(Self.grants)", .firefox)
            }) {
                return .withoutSites(profile: profile.name)
            }
            if !profiles.isEmpty { return .found }
            guard isSideloaded(in: browser) else { return .missing }
            // A new profile takes it at its first start.
            return used.isEmpty ? .found : .notTakenYet
        }
    }

    // MARK: For everyone

    private var chromiumFolders: [String] { ["/usr/share/chromium/extensions/keyway"] }

    private var firefoxFolders: [String] {
        let firefox = "/usr/share/mozilla/extensions/{ec8030f7-c20a-464f-9b0e-13a3a9e97384}"
        let id = BrowserExtension.firefoxIdentifier
        return ["\(firefox)/\(id).xpi", "\(firefox)/\(id)"]
    }

    /// The system's own browsers look there; those from elsewhere do not.
    private func isSideloaded(in browser: Browser) -> Bool {
        let folders =
            switch browser.word {
            case "chromium": chromiumFolders
            case "firefox": firefoxFolders
            default: [String]()
            }
        return folders.contains { machine.facts($0) != nil }
    }

    // MARK: In a profile

    private func chromiumProfiles(_ browser: Browser) -> [String] {
        let root = "\(machine.home)/" + browser.hosts.dropLast("/NativeMessagingHosts".count)
        return machine.names(in: root).filter { $0 == "Default" || $0.hasPrefix("Profile ") }
            .flatMap { ["\(root)/\($0)/Preferences", "\(root)/\($0)/Secure Preferences"] }
    }

    private func firefoxProfiles(_ browser: Browser) -> [String] {
        let roots: [String] =
            switch browser.packaging {
            case .system: [".mozilla/firefox", ".config/mozilla/firefox"]
            case .snap: ["snap/firefox/common/.mozilla/firefox"]
            case .flatpak(let id): [".var/app/\(id)/.mozilla/firefox", ".var/app/\(id)/.librewolf"]
            }
        return roots.flatMap { root in
            machine.names(in: "\(machine.home)/\(root)").map { "\(machine.home)/\(root)/\($0)/extensions.json" }
        }
    }

    private func knowsExtension(_ file: String) -> Bool {
        guard let bytes = machine.read(file, limit: Self.limit) else { return false }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.contains(BrowserExtension.chromiumIdentifier) || text.contains(BrowserExtension.firefoxIdentifier)
    }

    private func says(_ note: ([UInt8], Browser.Family) -> Bool, _ file: String, _ family: Browser.Family) -> Bool {
        machine.read(file, limit: Self.limit).map { note($0, family) } ?? false
    }

    /// The folder that a file lies in, and its name.
    private static func folder(of file: String) -> (path: Substring, name: String) {
        let path = file[..<(file.lastIndex(of: "/") ?? file.startIndex)]
        return (path, String(path.split(separator: "/").last ?? ""))
    }
}
