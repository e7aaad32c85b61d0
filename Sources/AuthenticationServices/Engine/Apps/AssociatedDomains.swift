import Foundation

/// The domains that an application says it belongs to: the entitlement `com.apple.developer.associated-domains`, from
/// the same property list as on Apple's systems. It is no authority: a domain counts if its site names the application.
struct AssociatedDomains: Sendable {
    private static let service = "webcredentials:"
    private static let mostBytes = 1 << 16

    /// The domains, in the order of the list, each once.
    let domains: [String]

    /// Those of this process's program: `PROGRAM.entitlements` beside it, or `share/PROGRAM/` of the folder above.
    static let ofThisProgram: AssociatedDomains = {
        guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
            return AssociatedDomains(domains: [])
        }
        return AssociatedDomains(program: URL(fileURLWithPath: path))
    }()

    private init(domains: [String]) {
        self.domains = domains
    }

    /// Those of the program at `program`.
    init(program: URL) {
        let (folder, name) = (program.deletingLastPathComponent(), program.lastPathComponent)
        let file = "\(name).entitlements"
        let places = [
            folder.appendingPathComponent(file),
            folder.deletingLastPathComponent().appendingPathComponent("share/\(name)/\(file)"),
        ]
        let data = places.lazy.compactMap { try? Data(contentsOf: $0) }.first
        domains = data.map(Self.domains(in:)) ?? []
    }

    /// Those in `list`; none where it is no such list.
    static func domains(in list: Data) -> [String] {
        guard list.count <= mostBytes,
            let values = try? PropertyListSerialization.propertyList(from: list, format: nil) as? [String: Any],
            let entries = values[EntitlementKey.associatedDomains.rawValue] as? [String]
        else { return [] }
        var domains: [String] = []
        for entry in entries where entry.hasPrefix(service) {
            // `?mode=developer` says how Apple's systems fetch the file of the site.
            let domain = entry.dropFirst(service.count).prefix { $0 != "?" }.lowercased()
            if !domain.isEmpty, !domains.contains(domain) { domains.append(domain) }
        }
        return domains
    }
}
