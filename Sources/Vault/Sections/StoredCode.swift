package import KeywayCrypto

/// How one-time codes of an account are made, without the secret that they are made from (RFC 4226, RFC 6238).
package struct CodeRecord: Hashable, Sendable {
    /// What a code depends on.
    package enum Kind: Hashable, Sendable {
        /// The time, in steps of so many seconds.
        case totp(period: UInt32)
        /// How many were used before: the next one is made with this counter.
        case hotp(counter: UInt64)
        /// The time, in Steam's way: five letters every 30 seconds.
        case steam
    }

    /// The hash function of the code, by its name in CXF.
    package enum Algorithm: String, Hashable, Sendable, CaseIterable {
        case sha1, sha256, sha512
    }

    /// What it depends on.
    package var kind: Kind
    /// The hash function; of Steam always `sha1`.
    package var algorithm: Algorithm
    /// How many digits a code has; of Steam always 5 letters.
    package var digits: UInt8
    /// Who gives the account; may be empty.
    package var issuer: String
    /// The account's name there; may be empty.
    package var account: String

    /// A record.
    package init(
        kind: Kind = .totp(period: 30), algorithm: Algorithm = .sha1, digits: UInt8 = 6, issuer: String = "",
        account: String = ""
    ) {
        self.kind = kind
        self.algorithm = kind == .steam ? .sha1 : algorithm
        self.digits = kind == .steam ? 5 : digits
        self.issuer = issuer
        self.account = account
    }

    /// The type of its section.
    package var sectionType: SectionType {
        switch kind {
        case .totp: .totp
        case .hotp: .hotp
        case .steam: .steam
        }
    }

    /// What a section's half in the summary says; nil for one that makes no codes, or in a way that this version does not
    /// know.
    package init?(_ head: SectionHead) {
        guard head.isReadable else { return nil }
        self.init(head.type, head.text, head.integer)
    }

    init?(_ type: SectionType, _ text: (String) -> String?, _ integer: (String) -> UInt64?) {
        let (issuer, account) = (text("issuer") ?? "", text("username") ?? "")
        guard type != .steam else {
            self.init(kind: .steam, issuer: issuer, account: account)
            return
        }
        guard let algorithm = text("algorithm").flatMap(Algorithm.init),
            let digits = integer("digits").flatMap({ UInt8(exactly: $0) }), Self.digits.contains(digits)
        else { return nil }
        let kind: Kind
        switch type {
        case .totp:
            guard let period = integer("period").flatMap({ UInt32(exactly: $0) }), Self.periods.contains(period) else {
                return nil
            }
            kind = .totp(period: period)
        case .hotp:
            guard let counter = integer("counter") else { return nil }
            kind = .hotp(counter: counter)
        default: return nil
        }
        self.init(kind: kind, algorithm: algorithm, digits: digits, issuer: issuer, account: account)
    }

    /// How many digits a code can have.
    package static let digits: ClosedRange<UInt8> = 1...10
    /// How many seconds a code can count.
    package static let periods: ClosedRange<UInt32> = 1...86400
}

/// A one-time code with its secret.
package struct StoredCode: Sendable, Equatable {
    /// How codes are made.
    package var record: CodeRecord
    /// The shared secret as bytes, not as base32.
    package let secret: SecretBytes

    /// The longest secret that is stored, in bytes.
    package static let longestSecret = 1024

    /// A code.
    package init(_ record: CodeRecord, secret: SecretBytes) {
        self.record = record
        self.secret = secret
    }

    /// The code that a section is.
    ///
    /// - Throws: `invalid` for a section that is none.
    package init(_ section: ItemSection) throws(VaultError) {
        func member(_ name: String, _ isOne: (MemberKind) -> Bool) -> SecretBytes? {
            section.members.first { $0.name == name && isOne($0.kind) }?.value
        }
        let record = CodeRecord(
            section.type,
            { member($0, \.isText)?.withUnsafeBytes { String(validating: $0, as: UTF8.self) } },
            { name in
                member(name) { $0 == .integer }?.withUnsafeBytes {
                    $0.count == 8 ? UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) : nil
                }
            })
        guard let record, let secret = member("secret", { $0 == .bytes }),
            (1...Self.longestSecret).contains(secret.count)
        else { throw VaultError(.invalid, "the one-time code lacks a part, or has one of an impossible size") }
        self.init(record, secret: secret)
    }

    /// The section that holds it, by the names of CXF.
    package var section: ItemSection {
        var members: [SectionMember] = []
        switch record.kind {
        case .totp(let period): members.append(SectionMember("period", integer: UInt64(period)))
        case .hotp(let counter): members.append(SectionMember("counter", integer: counter))
        case .steam: break
        }
        if record.kind != .steam {
            members.append(SectionMember("digits", integer: UInt64(record.digits)))
            members.append(SectionMember("algorithm", text: record.algorithm.rawValue))
        }
        if !record.account.isEmpty { members.append(SectionMember("username", text: record.account)) }
        if !record.issuer.isEmpty { members.append(SectionMember("issuer", text: record.issuer)) }
        members.append(SectionMember("secret", .bytes, secret))
        return ItemSection(record.sectionType, members)
    }
}
