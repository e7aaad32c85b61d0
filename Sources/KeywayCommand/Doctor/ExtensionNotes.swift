import AutoFillProtocol
import FoundationEssentials

/// What a browser notes in a profile of our extension: whether the person switched it off, and which sites it may see.
/// Both browsers grant all sites when they install an extension, and let the person take them away; without them it
/// fills nothing anywhere. What a file doesn't say, or what can't be read, isn't told.
enum ExtensionNotes {
    /// Whether the extension is there, and off.
    static func isOff(in bytes: [UInt8], family: Browser.Family) -> Bool {
        switch family {
        case .chromium: read(ChromiumPreferences.self, bytes)?.isOff ?? false
        case .firefox: read(FirefoxExtensions.self, bytes)?.isOff ?? false
        }
    }

    /// Whether the person, or the browser, keeps some sites back.
    static func areSitesWithheld(in bytes: [UInt8], family: Browser.Family) -> Bool {
        switch family {
        case .chromium:
            guard let said = read(ChromiumPreferences.self, bytes) else { return false }
            return said.isWithheld && !areAll(said.granted)
        case .firefox:
            guard let said = read(FirefoxPreferences.self, bytes) else { return false }
            return !areAll(said.origins)
        }
    }

    private static func read<Notes: Decodable>(_ kind: Notes.Type, _ bytes: [UInt8]) -> Notes? {
        try? JSONDecoder().decode(kind, from: Data(bytes))
    }

    /// Whether these patterns reach each page of the web: that is what the extension's manifest asks for.
    private static func areAll(_ patterns: [String]) -> Bool {
        ["http", "https"].allSatisfy { scheme in
            patterns.contains { ["\(scheme)://*/*", "*://*/*", "<all_urls>"].contains($0) }
        }
    }
}

/// A name that is known only while the program runs.
private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}

/// `Preferences` of a profile of Chromium: `extensions.settings.ID` (extensions/browser/extension_prefs.cc).
private struct ChromiumPreferences: Decodable {
    /// Whether there is a reason not to run it.
    let isOff: Bool
    /// Set once the person chose “on click” or “on specific sites”.
    let isWithheld: Bool
    /// What was granted since then.
    let granted: [String]

    init(from decoder: any Decoder) throws {
        func part(
            _ parent: KeyedDecodingContainer<Name>, _ name: String
        ) throws -> KeyedDecodingContainer<Name> { try parent.nestedContainer(keyedBy: Name.self, forKey: Name(name)) }
        let settings = try part(part(decoder.container(keyedBy: Name.self), "extensions"), "settings")
        let ours = try part(settings, BrowserExtension.chromiumIdentifier)
        // A list of numbers; until the spring of 2025, one number of bits.
        let reasons = Name("disable_reasons")
        let listed = try? ours.decode([Int].self, forKey: reasons)
        let one = try? ours.decode(Int.self, forKey: reasons)
        isOff = (listed ?? [one ?? 0]).contains { $0 != 0 }
        isWithheld = (try? ours.decode(Bool.self, forKey: Name("withholding_permissions"))) ?? false
        let grants = try? part(ours, "runtime_granted_permissions")
        granted = (try? grants?.decode([String].self, forKey: Name("explicit_host"))) ?? []
    }
}

/// `extensions.json` of a profile of Firefox (toolkit/mozapps/extensions/internal/XPIDatabase.sys.mjs).
private struct FirefoxExtensions: Decodable {
    private struct Extension: Decodable {
        let id: String?
        let userDisabled: Bool?
    }

    private let addons: [Extension]

    /// Whether the person switched it off.
    var isOff: Bool { addons.contains { $0.id == BrowserExtension.firefoxIdentifier && $0.userDisabled == true } }
}

/// `extension-preferences.json` of a profile of Firefox (toolkit/components/extensions/ExtensionPermissions.sys.mjs).
private struct FirefoxPreferences: Decodable {
    let origins: [String]

    init(from decoder: any Decoder) throws {
        let said = try decoder.container(keyedBy: Name.self)
            .nestedContainer(keyedBy: Name.self, forKey: Name(BrowserExtension.firefoxIdentifier))
        origins = try said.decode([String].self, forKey: Name("origins"))
    }
}
