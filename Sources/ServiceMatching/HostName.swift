import Glibc

/// The host of a URL in the one form in which hosts are compared: a domain in lower-case ASCII, or an address.
///
/// Names in other scripts get their ASCII form (`bücher.example` is `xn--bcher-kva.example`), so that what only looks
/// alike differs. What no browser would write (`0x7f.1`, `%41.example`, an empty label) is no host at all.
package struct HostName: Hashable, Sendable {
    /// What the name is made of.
    package enum Kind: Hashable, Sendable {
        case domain
        case address4
        case address6
    }

    /// The canonical text; an IPv6 address without brackets.
    package let text: String
    /// A domain, or which kind of address.
    package let kind: Kind
    /// Whether a dot stood at the end: the same name for DNS, another origin for browsers.
    package let isAbsolute: Bool

    /// The host that `text` writes; nil when it writes none.
    package init?(_ text: String) {
        if text.hasPrefix("[") {
            guard text.hasSuffix("]"), let address = Self.address6(String(text.dropFirst().dropLast())) else {
                return nil
            }
            (self.text, kind, isAbsolute) = (address, .address6, false)
            return
        }
        guard text.utf8.count <= 1024, let lower = Self.lowercased(text) else { return nil }
        isAbsolute = lower.hasSuffix(".")
        let ascii = isAbsolute ? String(lower.dropLast()) : lower
        guard Self.isDomain(ascii) else { return nil }
        let last = ascii[(ascii.lastIndex(of: ".").map { ascii.index(after: $0) } ?? ascii.startIndex)...]
        if Self.looksNumeric(last) {
            guard !isAbsolute, Self.isCanonicalAddress4(ascii) else { return nil }
            (self.text, kind) = (ascii, .address4)
        } else {
            (self.text, kind) = (ascii, .domain)
        }
    }

    /// Whether it means this machine: `localhost`, names under it, `127.0.0.0/8`, `::1`.
    package var isLoopback: Bool {
        switch kind {
        case .domain: text == "localhost" || text.hasSuffix(".localhost")
        case .address4: text.hasPrefix("127.")
        case .address6: text == "::1"
        }
    }

    /// As it stands in a URL: an IPv6 address in brackets.
    package var written: String { kind == .address6 ? "[\(text)]" : text }

    /// As people read and write it: with the letters that `xn--` labels stand for.
    package var displayed: String { kind == .domain ? InternationalName.unicode(text) ?? text : written }

    /// Whether this name lies under another one; never for addresses.
    package func isBelow(_ other: HostName) -> Bool {
        kind == .domain && other.kind == .domain && text.hasSuffix("." + other.text)
    }

    // MARK: - Domains

    private static func lowercased(_ text: String) -> String? {
        text.utf8.allSatisfy { $0 < 0x80 } ? text.lowercased() : InternationalName.ascii(text)
    }

    /// Whether every label is there, of a length that DNS knows, and holds only what host names do.
    private static func isDomain(_ name: String) -> Bool {
        name.utf8.count <= 253 && name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy(isLabel)
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count)
            && label.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    // MARK: - Addresses

    /// Whether browsers would read the name as a number (WHATWG URL, "ends in a number").
    private static func looksNumeric(_ label: Substring) -> Bool {
        label.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            || (label.hasPrefix("0x") && label.dropFirst(2).allSatisfy(\.isHexDigit))
    }

    private static func isCanonicalAddress4(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { part in UInt8(part).map { String($0) == part } ?? false }
    }

    private static func address6(_ text: String) -> String? {
        var address = in6_addr()
        guard inet_pton(AF_INET6, text, &address) == 1 else { return nil }
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(AF_INET6, &address, &buffer, socklen_t(buffer.count)) != nil else { return nil }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
