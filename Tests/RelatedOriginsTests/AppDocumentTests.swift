import FoundationEssentials
import RelatedOrigins
import Testing

/// What a site may say of its apps.
@Suite struct AppDocumentTests {
    @Test(arguments: [
        (
            #"{"webcredentials": {"apps": ["program:/usr/bin/a b", "desktop:org.example.App"]}, "applinks": {}}"#,
            ["program:/usr/bin/a b", "desktop:org.example.App"]
        ),
        (#"{"webcredentials": {"apps": ["", "a\nb", "a\u0000", "ä", "flatpak:x"]}}"#, ["flatpak:x"]),
        (#"{"webcredentials": {"apps": []}}"#, []),
    ])
    func whatNamesAppsIsRead(json: String, apps: [String]) {
        #expect(AppDocument.apps(in: Data(json.utf8)) == apps)
    }

    @Test(arguments: [
        "", "[]", #"{"apps": ["x"]}"#, #"{"webcredentials": {"apps": "x"}}"#, #"{"webcredentials": {"apps": [1]}}"#,
    ])
    func anythingElseIsNoDocument(json: String) {
        #expect(AppDocument.apps(in: Data(json.utf8)) == nil)
    }

    @Test func whatIsTooMuchIsLeftOut() {
        let many = (0..<300).map { "program:/\($0)" } + [String(repeating: "x", count: 2000)]
        let json = #"{"webcredentials": {"apps": ["# + many.map { "\"\($0)\"" }.joined(separator: ",") + "]}}"
        #expect(AppDocument.apps(in: Data(json.utf8))?.count == 256)
    }
}
