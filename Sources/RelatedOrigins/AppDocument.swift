package import FoundationEssentials

/// What a site says of the apps that are its own (`Docs/apps.md`).
package enum AppDocument {
    /// The most apps, and the most bytes of one's name.
    static let mostApps = 256
    static let longestName = 1024

    private struct Document: Decodable {
        struct Credentials: Decodable {
            let apps: [String]
        }

        let webcredentials: Credentials
    }

    /// The apps in `json`; nil for what is no such document.
    package static func apps(in json: Data) -> [String]? {
        guard json.prefix(8192).filter({ $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }).count <= 64,
            let document = try? JSONDecoder().decode(Document.self, from: json)
        else { return nil }
        // One a line: what holds a line's end is no name.
        return document.webcredentials.apps.prefix(mostApps).filter { app in
            (1...longestName).contains(app.utf8.count) && app.utf8.allSatisfy { (0x20..<0x7f).contains($0) }
        }
    }
}
