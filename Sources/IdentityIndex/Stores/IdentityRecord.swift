package import AutoFillProtocol
import FoundationEssentials

/// What a row holds when it is open: an identity, and when it was used last.
package struct IdentityRecord: Hashable, Sendable {
    /// The most bytes that the parts of one identity make, with room to spare: ``IdentityBounds`` allows less.
    static let maximumCount = 8192
    /// Sealed lengths come in steps, so that they say little about names.
    private static let step = 32
    private static let version: UInt8 = 1
    private static let (hasRecord, hasPasskey, isForForms, isForHTTP): (UInt8, UInt8, UInt8, UInt8) = (1, 2, 4, 8)
    private static let hasPeriod: UInt8 = 16

    /// The identity.
    package let identity: CredentialIdentity
    /// When it was used last, in milliseconds since 1970; 0 for never.
    package var used: Int64

    /// An identity that was used last at `used`.
    package init(_ identity: CredentialIdentity, used: Int64 = 0) {
        self.identity = identity
        self.used = used
    }

    /// Whether this one stands before `other` where both fit a page equally well.
    func isBefore(_ other: IdentityRecord) -> Bool {
        (identity.rank, used) > (other.identity.rank, other.used)
    }

    /// The bytes: version, kinds, which parts are there (and of which use it is), rank and last use in 64 bits, then each
    /// part after its length in 16 bits, and a code's period in 64, all little-endian; zeros up to the next step where it
    /// is `padded`.
    package func encoded(padded: Bool = true) -> [UInt8] {
        let flags =
            (identity.recordIdentifier == nil ? 0 : Self.hasRecord) | (identity.passkey == nil ? 0 : Self.hasPasskey)
            | (identity.use == .forms ? Self.isForForms : 0) | (identity.use == .http ? Self.isForHTTP : 0)
            | (identity.period == nil ? 0 : Self.hasPeriod)
        var bytes: [UInt8] = [Self.version, identity.kind.code, identity.service.kind.code, flags]
        bytes.reserveCapacity(192)
        for number in [Int64(identity.rank), used] {
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }
        func append(_ part: some Collection<UInt8>) {
            withUnsafeBytes(of: UInt16(part.count).littleEndian) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: part)
        }
        append(identity.service.identifier.utf8)
        append(identity.user.utf8)
        if let record = identity.recordIdentifier { append(record.utf8) }
        if let passkey = identity.passkey {
            append(passkey.credentialID)
            append(passkey.userHandle)
        }
        if identity.use == .http { append((identity.service.realm ?? "").utf8) }
        if let period = identity.period {
            withUnsafeBytes(of: Int64(period).littleEndian) { bytes.append(contentsOf: $0) }
        }
        if padded {
            bytes += Array(repeating: 0, count: (Self.step - bytes.count % Self.step) % Self.step)
        }
        return bytes
    }

    /// Reads ``encoded(padded:)``; nil for anything else.
    package init?(decoding bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        func take(_ count: Int) -> Slice<UnsafeRawBufferPointer>? {
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }
        func number() -> Int64? {
            take(8).map { Int64(littleEndian: UnsafeRawBufferPointer(rebasing: $0).loadUnaligned(as: Int64.self)) }
        }
        func part() -> Slice<UnsafeRawBufferPointer>? {
            guard let length = take(2) else { return nil }
            return take(Int(length[length.startIndex]) | Int(length[length.startIndex + 1]) << 8)
        }
        func text() -> String? {
            part().flatMap { String(validating: UnsafeRawBufferPointer(rebasing: $0), as: UTF8.self) }
        }
        guard let head = take(4).map({ Array($0) }), head[0] == Self.version,
            let kind = CredentialKind(code: head[1]), let serviceKind = ServiceIdentifier.Kind(code: head[2]),
            head[3] & ~(Self.hasRecord | Self.hasPasskey | Self.isForForms | Self.isForHTTP | Self.hasPeriod) == 0,
            head[3] & (Self.isForForms | Self.isForHTTP) != Self.isForForms | Self.isForHTTP,
            let rank = number(), let used = number(), let service = text(), let user = text()
        else { return nil }
        var record: String?
        if head[3] & Self.hasRecord != 0 {
            guard let found = text() else { return nil }
            record = found
        }
        var passkey: PasskeyReference?
        if head[3] & Self.hasPasskey != 0 {
            guard let credential = part(), let handle = part() else { return nil }
            passkey = PasskeyReference(credentialID: Data(credential), userHandle: Data(handle))
        }
        var realm: String?
        if head[3] & Self.isForHTTP != 0 {
            guard let found = text() else { return nil }
            realm = found
        }
        var period: Int?
        if head[3] & Self.hasPeriod != 0 {
            guard let found = number() else { return nil }
            period = Int(found)
        }
        guard rest.allSatisfy({ $0 == 0 }) else { return nil }
        identity = CredentialIdentity(
            kind: kind, service: ServiceIdentifier(service, kind: serviceKind, realm: realm), user: user,
            recordIdentifier: record, rank: Int(rank), passkey: passkey,
            use: head[3] & Self.isForForms != 0 ? .forms : nil, period: period)
        self.used = used
    }
}
