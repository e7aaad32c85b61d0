import AutoFillProtocol
import FoundationEssentials
import KeywayCrypto
import ServiceMatching

/// Where an identity is found: keyed names of its host, origin and registrable domain, which say nothing without the
/// key. The kind of credential is part of each name.
struct IdentityPlaces: Hashable, Sendable {
    /// The host; of a service that is no web address, the service itself.
    let host: Int64
    /// Scheme, host and port.
    let origin: Int64
    /// The registrable domain; nil where it is not offered on other hosts.
    let site: Int64?

    /// The list in which it has its position.
    var list: IdentityList { site.map(IdentityList.site) ?? .origin(host: host, origin: origin) }
}

/// Identities in the order in which they are suggested.
enum IdentityList: Hashable, Sendable {
    /// Those of one scheme, host and port.
    case origin(host: Int64, origin: Int64)
    /// Those of one registrable domain.
    case site(Int64)
}

/// The two keys of one provider's identity store: one seals its rows, the other derives their names.
///
/// Both are derived from the store key, the provider's identifier and the file's salt. So the rows of one provider
/// mean nothing in another provider's file, and a new file shares no names with the one before.
struct IdentityKeys: Sendable {
    /// The length of a file's salt in bytes.
    static let saltCount = 16
    /// The length of an identity's name in bytes.
    static let nameCount = 16

    let sealing: SecretKey
    private let naming: SecretKey

    init(storeKey: SecretKey, provider: String, salt: [UInt8]) {
        let message = salt + Array(provider.utf8)
        let own = SecretKey(
            SecretBytes(count: SecretKey.count) { room in
                message.withUnsafeBytes { storeKey.hash($0, into: room) }
            })
        sealing = own.derive(1, context: "identity")
        naming = own.derive(2, context: "identity")
    }

    /// The name of what makes an identity that identity: kind, service, user, record and credential ID.
    func name(of identity: CredentialIdentity) -> [UInt8] {
        // No text holds a zero, and the credential ID comes last: no two identities make one message.
        var message: [UInt8] = [Purpose.identity.rawValue, identity.kind.code, identity.service.kind.code]
        message += identity.service.identifier.utf8
        message.append(0)
        message += identity.user.utf8
        message.append(0)
        if let record = identity.recordIdentifier {
            message.append(1)
            message += record.utf8
        }
        message.append(0)
        if let passkey = identity.passkey { message += passkey.credentialID }
        return naming.hash(message, count: Self.nameCount)
    }

    /// Where an identity is found.
    func places(of identity: CredentialIdentity, suffixes: PublicSuffixes) -> IdentityPlaces {
        let kind = identity.kind
        guard let address = ServiceAddress(identity.service, suffixes: suffixes) else {
            let service = name(of: identity.service, kind)
            return IdentityPlaces(host: service, origin: service, site: nil)
        }
        // What says `http:` belongs to its host alone.
        let site = address.scheme == .https ? address.site : nil
        return IdentityPlaces(
            host: host(of: address, kind), origin: origin(of: address, kind), site: site.map { self.site($0, kind) })
    }

    /// The name of the host of a service, or of the service itself where it is no web address.
    func host(of service: ServiceIdentifier, _ kind: CredentialKind, suffixes: PublicSuffixes) -> Int64 {
        ServiceAddress(service, suffixes: suffixes).map { host(of: $0, kind) } ?? name(of: service, kind)
    }

    /// The name of a page's host for one kind of credential.
    func host(of address: ServiceAddress, _ kind: CredentialKind) -> Int64 { number(.host, kind, address.host.text) }

    /// The name of a page's scheme, host and port for one kind of credential.
    func origin(of address: ServiceAddress, _ kind: CredentialKind) -> Int64 {
        let port = withUnsafeBytes(of: address.port.bigEndian) { Array($0) }
        return number(.origin, kind, address.host.text, port + [address.scheme == .https ? 1 : 0])
    }

    /// The name of a registrable domain for one kind of credential.
    func site(_ site: String, _ kind: CredentialKind) -> Int64 { number(.site, kind, site) }

    private enum Purpose: UInt8 {
        case identity = 1
        case host
        case origin
        case site
        case service
    }

    private func name(of service: ServiceIdentifier, _ kind: CredentialKind) -> Int64 {
        number(.service, kind, service.identifier, [service.kind.code])
    }

    private func number(
        _ purpose: Purpose, _ kind: CredentialKind, _ text: String, _ rest: [UInt8] = []
    ) -> Int64 {
        var message: [UInt8] = [purpose.rawValue, kind.code]
        message += text.utf8
        message.append(0)
        message += rest
        let value = naming.hash(message, count: 16).withUnsafeBytes { $0.loadUnaligned(as: Int64.self) }
        // The least number stands for none, where a walk over names starts.
        return max(Int64(littleEndian: value), .min + 1)
    }
}

extension CredentialKind {
    /// The kind as it is stored.
    var code: UInt8 {
        switch self {
        case .password: 1
        case .passkey: 2
        case .oneTimeCode: 3
        }
    }

    init?(code: UInt8) {
        guard let kind = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = kind
    }
}

extension ServiceIdentifier.Kind {
    /// The kind as it is stored.
    var code: UInt8 {
        switch self {
        case .domain: 1
        case .url: 2
        case .app: 3
        }
    }

    init?(code: UInt8) {
        guard let kind = [Self.domain, .url, .app].first(where: { $0.code == code }) else { return nil }
        self = kind
    }
}
