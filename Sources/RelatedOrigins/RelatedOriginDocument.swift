package import FoundationEssentials

/// What a site says of other origins of its own (WebAuthn Level 3, section 5.11).
package enum RelatedOriginDocument {
    /// The most origins, and the most bytes of one; browsers look at few of them.
    static let mostOrigins = 256
    static let longestOrigin = 512

    private struct Document: Decodable {
        let origins: [String]
    }

    /// The origins in `json`; nil for what is no such document.
    package static func origins(in json: Data) -> [String]? {
        guard json.prefix(8192).filter({ $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }).count <= 64,
            let document = try? JSONDecoder().decode(Document.self, from: json)
        else { return nil }
        // One a line: what holds a line's end is no origin.
        return document.origins.prefix(mostOrigins).filter { origin in
            (1...longestOrigin).contains(origin.utf8.count) && origin.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
        }
    }
}
