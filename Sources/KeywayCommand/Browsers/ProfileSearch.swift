import KeywayCrypto
import SecretDocuments

/// Finds the profiles of the person's browsers, by the files that browsers keep about them; no password is looked at.
package struct ProfileSearch {
    private static let longestList = 8 << 20
    private static let mostProfiles = 200

    private let machine: any Machine

    /// A search on `machine`.
    package init(machine: any Machine) { self.machine = machine }

    /// All profiles with a file for passwords, in the order of the browsers.
    package var profiles: [BrowserProfile] {
        Browser.all.flatMap { browser in browser.family == .firefox ? firefox(browser) : chromium(browser) }
    }

    // MARK: - Chromium

    private func chromium(_ browser: Browser) -> [BrowserProfile] {
        guard let end = browser.hosts.lastIndex(of: "/") else { return [] }
        let base = "\(machine.home)/\(browser.hosts[..<end])"
        let folders = machine.names(in: base).sorted().filter { name in
            ["Login Data", "Login Data For Account"].contains { machine.facts("\(base)/\(name)/\($0)")?.kind == .file }
        }
        let titles = folders.isEmpty ? [:] : titles(base)
        return folders.prefix(Self.mostProfiles).map { name in
            BrowserProfile(browser: browser, name: name, title: titles[name], folder: "\(base)/\(name)")
        }
    }

    /// What the person called each profile, by its folder.
    private func titles(_ base: String) -> [String: String] {
        guard let bytes = machine.read("\(base)/Local State", limit: Self.longestList) else { return [:] }
        let cache = bytes.withUnsafeBytes { bytes -> JSONObject? in
            guard let text = try? checkedText(bytes), let outline = try? JSONOutline(text, leaving: ["profile"]),
                let place = outline.places["profile"],
                let profile = try? JSONOutline(text, at: place, leaving: ["info_cache"]),
                let list = profile.places["info_cache"], let value = try? JSONScanner.values(at: [list], in: text).first
            else { return nil }
            return value.object
        }
        let titles = cache?.members.compactMap { member in
            member.value.object?["name"]?.publicText.map { (member.name, $0) }
        }
        return Dictionary((titles ?? []).filter { !$0.1.isEmpty }) { first, _ in first }
    }

    // MARK: - Firefox

    private func firefox(_ browser: Browser) -> [BrowserProfile] {
        bases(browser).flatMap { base -> [BrowserProfile] in
            let path = "\(machine.home)/\(base)"
            guard let bytes = machine.read("\(path)/profiles.ini", limit: 1 << 20) else { return [] }
            return Self.sections(String(decoding: bytes, as: UTF8.self)).prefix(Self.mostProfiles).compactMap {
                section in
                guard let name = section["Name"], let place = section["Path"], !name.isEmpty, !place.isEmpty else {
                    return nil
                }
                let folder = section["IsRelative"] == "0" ? place : "\(path)/\(place)"
                guard machine.facts("\(folder)/logins.json")?.kind == .file else { return nil }
                return BrowserProfile(browser: browser, name: name, title: nil, folder: folder)
            }
        }
    }

    /// Where a browser of Firefox's family has its profiles, below the home folder.
    private func bases(_ browser: Browser) -> [String] {
        switch browser.packaging {
        // From version 147 on, new ones are made in the configuration folder.
        case .system: return [".mozilla/firefox", ".config/mozilla/firefox"]
        case .snap: return ["snap/firefox/common/.mozilla/firefox"]
        case .flatpak(let id):
            let folder = ".var/app/\(id)"
            return browser.word.hasPrefix("librewolf")
                ? ["\(folder)/.librewolf"] : ["\(folder)/.mozilla/firefox", "\(folder)/config/mozilla/firefox"]
        }
    }

    /// The sections `[Profile…]` of a file of Firefox, by their keys.
    static func sections(_ text: String) -> [[String: String]] {
        var (sections, isProfile) = ([[String: String]](), false)
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("[") {
                isProfile = line.hasPrefix("[Profile")
                if isProfile { sections.append([:]) }
            } else if isProfile, let equals = line.firstIndex(of: "=") {
                sections[sections.count - 1][String(line[..<equals])] = String(line[line.index(after: equals)...])
            }
        }
        return sections
    }
}
