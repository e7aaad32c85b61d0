public import Foundation

/// The place on the web that a password is for.
public struct ASAutoFillURLScope: Codable, Hashable, Sendable {
    /// How the place is reached.
    public enum Scheme: String, Codable, Hashable, Sendable {
        /// Without encryption.
        case http
        /// With encryption.
        case https
    }

    /// How the place is reached.
    public var scheme: ASAutoFillURLScope.Scheme
    /// The name of the host.
    public var host: String
    /// The port; nil for the usual one.
    public var port: Int?
    /// The path, from the root.
    public var path: String

    /// The place that is made of these parts.
    public init(scheme: ASAutoFillURLScope.Scheme, host: String, port: Int?, path: String) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.path = path
    }

    /// The place that `url` names, without user, query and fragment; nil when it is none of the web.
    public init?(url: URL) {
        guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let scheme = parts.scheme.flatMap({ Scheme(rawValue: $0.lowercased()) }),
            let host = parts.host, !host.isEmpty
        else { return nil }
        self.init(scheme: scheme, host: host, port: parts.port, path: parts.path)
    }

    /// The place as an address; nil when the parts make none. Setting something that names no place changes nothing.
    public var url: URL? {
        get {
            var parts = URLComponents()
            parts.scheme = scheme.rawValue
            parts.host = host
            parts.port = port
            parts.path = path
            return parts.url
        }
        set { self = newValue.flatMap { Self(url: $0) } ?? self }
    }
}
