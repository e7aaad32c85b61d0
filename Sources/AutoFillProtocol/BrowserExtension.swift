/// The names under which browsers, their extension and its native host find each other: the one place for them.
package enum BrowserExtension {
    /// The name that the native host is registered under.
    package static let hostName = "org.keyway.autofill"
    /// The extension's id in Chromium: the digest of the public key in `Browser/manifest.json`.
    package static let chromiumIdentifier = "pniijmlillaikoljeeajbdinbododcbl"
    /// The extension's id in Firefox: `browser_specific_settings.gecko.id` of the manifest.
    package static let firefoxIdentifier = "autofill@keyway.org"
    /// How Chromium names the extension to a native host, and in the host's manifest (`allowed_origins`).
    package static let chromiumOrigin = "chrome-extension://\(chromiumIdentifier)/"
}
