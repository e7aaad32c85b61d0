import AutoFillProtocol
import ServiceMatching

private let suffixes = PublicSuffixes()

/// Any text in the place of a service is an address or none; the host of an address is its own canonical form, and
/// belongs to its site.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzServiceAddresses(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    for kind in [ServiceIdentifier.Kind.domain, .url] {
        guard let address = ServiceAddress(ServiceIdentifier(text, kind: kind), suffixes: suffixes) else { continue }
        let host = address.host.kind == .address6 ? "[\(address.host.text)]" : address.host.text
        let again = ServiceAddress(
            ServiceIdentifier("\(address.scheme.rawValue)://\(host):\(address.port)/", kind: .url), suffixes: suffixes)
        precondition(again?.host.text == address.host.text && again?.port == address.port, "not canonical")
        precondition(again?.site == address.site, "another site")
        if let site = address.site {
            precondition(address.host.text == site || address.host.text.hasSuffix("." + site), "not in its site")
        }
        precondition(address.host.text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "not ASCII")
    }
    return 0
}
