import AutoFillProtocol
import Testing

@testable import KeywayCommand

/// What Chromium writes once the person chose which sites an extension sees (of a profile of Chromium, cut to what counts).
func chromium(granted: [String], isWithheld: String = "true") -> String {
    """
    {"extensions":{"settings":{"mhjfbmdgcfjbbpaeojofohoefgiehjai":{"withholding_permissions":true},\
    "\(BrowserExtension.chromiumIdentifier)":{"active_permissions":{"explicit_host":["http://*/*","https://*/*"]},\
    "location":8,"runtime_granted_permissions":{"api":[],"explicit_host":\(granted),"scriptable_host":[]},\
    "withholding_permissions":\(isWithheld)}}},"profile":{"name":"Ada"}}
    """
}

/// What Firefox writes.
func firefox(granted: [String]) -> String {
    """
    {"default-theme@mozilla.org":{"permissions":["internal:privateBrowsingAllowed"],"origins":[]},\
    "\(BrowserExtension.firefoxIdentifier)":{"permissions":[],"origins":\(granted),"data_collection":[]}}
    """
}

/// What Firefox writes of the extensions of a profile.
func firefox(isOff: String) -> String {
    """
    {"schemaVersion":37,"addons":[{"id":"other@a.example","userDisabled":true},\
    {"id":"\(BrowserExtension.firefoxIdentifier)","active":true,"userDisabled":\(isOff),"appDisabled":false}]}
    """
}

/// What Chromium writes of reasons not to run the extension.
func chromium(reasons: String) -> String {
    """
    {"extensions":{"settings":{"mhjfbmdgcfjbbpaeojofohoefgiehjai":{"disable_reasons":[1]},\
    "\(BrowserExtension.chromiumIdentifier)":{"location":8,"disable_reasons":\(reasons)}}}}
    """
}

struct ExtensionNotesTests {
    private func areWithheld(_ text: String, _ family: Browser.Family) -> Bool {
        ExtensionNotes.areSitesWithheld(in: Array(text.utf8), family: family)
    }

    @Test(arguments: [
        ([String](), true), (["https://a.example/*"], true), (["https://*/*"], true), (["http://*/*"], true),
        (["http://*/*", "https://*/*"], false), (["*://*/*"], false), (["<all_urls>"], false),
        (["http://*/*", "<all_urls>"], false), (["http://*.example/*", "https://*.example/*"], true),
    ])
    func allSitesAreGrantedOrSomeAreKeptBack(granted: [String], isWithheld: Bool) {
        #expect(areWithheld(chromium(granted: granted), .chromium) == isWithheld)
        #expect(areWithheld(firefox(granted: granted), .firefox) == isWithheld)
    }

    @Test func chromiumKeepsNothingBackUnlessItSaysSo() {
        #expect(!areWithheld(chromium(granted: [], isWithheld: "false"), .chromium))
        #expect(!areWithheld(chromium(granted: [], isWithheld: "null"), .chromium))
        let untouched = #"{"extensions":{"settings":{"\#(BrowserExtension.chromiumIdentifier)":{"location":8}}}}"#
        #expect(!areWithheld(untouched, .chromium))
    }

    @Test(arguments: [("[1]", true), ("[0,4]", true), ("1", true), ("8192", true), ("[]", false), ("0", false)])
    func chromiumNotesWhyAnExtensionIsOff(reasons: String, isOff: Bool) {
        #expect(ExtensionNotes.isOff(in: Array(chromium(reasons: reasons).utf8), family: .chromium) == isOff)
    }

    @Test(arguments: [("true", true), ("false", false), ("null", false)])
    func firefoxNotesThatThePersonSwitchedAnExtensionOff(isOff: String, expected: Bool) {
        #expect(ExtensionNotes.isOff(in: Array(firefox(isOff: isOff).utf8), family: .firefox) == expected)
    }

    @Test(arguments: ["null", #""1""#, "{}", #"["1"]"#])
    func aReasonThatIsNoneIsNotTold(reasons: String) {
        #expect(!ExtensionNotes.isOff(in: Array(chromium(reasons: reasons).utf8), family: .chromium))
    }

    @Test(arguments: [
        "", "null", "[]", "{}", #"{"extensions":[]}"#, #"{"extensions":{"settings":{}}}"#,
        #"{"extensions":{"settings":{"pniijmlillaikoljeeajbdinbododcbl":true}}}"#,
        #"{"autofill@keyway.org":{"origins":null}}"#, #"{"autofill@keyway.org":{"origins":[1]}}"#,
        #"{"autofill@keyway.org":{}}"#, #"{"addons":[1]}"#, #"{"addons":[{}]}"#,
        #"{"addons":[{"id":"autofill@keyway.org"}]}"#,
    ])
    func whatIsNotSaidIsNotTold(text: String) {
        #expect(!areWithheld(text, .chromium))
        #expect(!areWithheld(text, .firefox))
        #expect(!ExtensionNotes.isOff(in: Array(text.utf8), family: .chromium))
        #expect(!ExtensionNotes.isOff(in: Array(text.utf8), family: .firefox))
    }

    @Test(arguments: [Browser.Family.chromium, .firefox])
    func aFileThatWasCutOffOrDamagedIsSurvived(family: Browser.Family) {
        let whole = Array((family == .chromium ? chromium(granted: []) : firefox(granted: [])).utf8)
        for length in whole.indices {
            // Half of a document says nothing.
            #expect(!ExtensionNotes.areSitesWithheld(in: Array(whole[..<length]), family: family))
        }
        for bit in 0..<(whole.count * 8) {
            var damaged = whole
            damaged[bit / 8] ^= 1 << (bit % 8)
            _ = ExtensionNotes.areSitesWithheld(in: damaged, family: family)
            _ = ExtensionNotes.isOff(in: damaged, family: family)
        }
        let deep = Array(String(repeating: "[", count: 100_000).utf8)
        #expect(!ExtensionNotes.areSitesWithheld(in: deep, family: family))
    }
}
