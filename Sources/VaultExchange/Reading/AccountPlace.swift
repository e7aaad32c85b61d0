import ServiceMatching

/// Where an account is used, as far as it tells accounts apart: `www.` and the path of an address say nothing.
package enum AccountPlace: Hashable, Sendable {
    /// A host with its port.
    case host(String)
    /// An address that is none of a web page.
    case written(String)
    /// Nowhere: it goes by its title.
    case title(String)

    /// The place of an address.
    package init(_ address: String) {
        if let place = Self.plain(address) {
            self = .host(place)
            return
        }
        guard let written = WrittenAddress(address, suffixes: .system)?.address else {
            self = .written(address)
            return
        }
        let host = written.host.text
        self = .host((host.hasPrefix("www.") ? String(host.dropFirst(4)) : host) + ":\(written.port)")
    }
    /// The place of an address as nearly all are written: `https://`, a domain in lower-case ASCII, and a path or nothing. A
    /// hundred thousand of them are compared. Nil for any other, which may have a place all the same.
    private static func plain(_ address: String) -> String? {
        var address = address
        return address.withUTF8 { plain($0) }
    }

    private static func plain(_ text: UnsafeBufferPointer<UInt8>) -> String? {
        let isSecure = text.starts(with: "https://".utf8)
        guard isSecure || text.starts(with: "http://".utf8) else { return nil }
        let start = isSecure ? 8 : 7
        var (end, label, isNumber, last) = (start, 0, false, UInt8(ascii: "."))
        host: while end < text.count {
            switch text[end] {
            case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): break host
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"): label += 1
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                if label == 0 { isNumber = true }
                label += 1
            case UInt8(ascii: "."):
                guard label > 0 else { return nil }
                (label, isNumber) = (0, false)
            default: return nil
            }
            guard label <= 63 else { return nil }
            last = text[end]
            end += 1
        }
        // A last label that begins with a digit may be an address.
        guard last != UInt8(ascii: "."), !isNumber, end - start <= 253,
            text[end...].allSatisfy({ (0x21..<0x7F).contains($0) && $0 != UInt8(ascii: "\\") })
        else { return nil }
        let host = text[start..<end]
        let name = host.starts(with: "www.".utf8) ? host.dropFirst(4) : host
        return String(decoding: name, as: UTF8.self) + (isSecure ? ":443" : ":80")
    }
}
