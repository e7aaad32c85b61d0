import AutoFillProtocol
import FoundationEssentials

/// Which sites a profile lets the extension see, as the browser notes it there. Both browsers grant all of them when they
/// install an extension, and let the person take them away; without them the extension fills nothing anywhere.
enum SiteGrants {
    /// Whether the person, or the browser, keeps some sites back. False also where the file doesn't say so, and where it
    /// can't be read: only what is known is told.
    static func areWithheld(in bytes: [UInt8], family: Browser.Family) -> Bool {
        switch family {
        case .chromium:
            guard let said = try? JSONDecoder().decode(ChromiumPreferences.self, from: Data(bytes)).ours else {
                return false
            }
            return said.isWithheld && !Self.areAll(said.granted)
        case .firefox:
            guard let origins = try? JSONDecoder().decode(FirefoxPreferences.self, from: Data(bytes)).origins else {
                return false
            }
            return !Self.areAll(origins)
        }
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
    struct Ours {
        /// Set once the person chose “on click” or “on specific sites”.
        let isWithheld: Bool
        /// What was granted since then.
        let granted: [String]
    }

    /// What it says of our extension.
    let ours: Ours

    init(from decoder: any Decoder) throws {
        func part(
            _ parent: KeyedDecodingContainer<Name>, _ name: String
        ) throws -> KeyedDecodingContainer<Name> { try parent.nestedContainer(keyedBy: Name.self, forKey: Name(name)) }
        let settings = try part(part(decoder.container(keyedBy: Name.self), "extensions"), "settings")
        let said = try part(settings, BrowserExtension.chromiumIdentifier)
        let grants = try? part(said, "runtime_granted_permissions")
        ours = Ours(
            isWithheld: try said.decodeIfPresent(Bool.self, forKey: Name("withholding_permissions")) ?? false,
            granted: (try? grants?.decode([String].self, forKey: Name("explicit_host"))) ?? [])
    }
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
