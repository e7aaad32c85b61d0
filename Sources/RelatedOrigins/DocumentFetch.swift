import CCurl
package import FoundationEssentials
import Glibc

/// Why there is no document.
package struct FetchError: Error, CustomStringConvertible {
    /// What went wrong, without what the other side said.
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Fetches one document by HTTPS, and nothing from inside the person's own network.
package struct DocumentFetch: Sendable {
    /// For tests: names under `.test` are this machine, at this port, with certificates of this authority.
    package struct Loopback: Hashable, Sendable {
        /// Where the server listens.
        package let port: UInt16
        /// The file with its certificate.
        package let authority: String

        /// Reads `port:file`; nil for anything else.
        package init?(_ text: String) {
            let parts = text.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, let port = UInt16(parts[0]), parts[1].hasPrefix("/") else { return nil }
            self.port = port
            authority = String(parts[1])
        }
    }

    /// The most bytes of a document, and the longest it may take, in seconds.
    static let mostBytes = 32 << 10
    static let patience = 6
    private static let connectPatience = 4
    private static let mostRedirects = 3

    private let loopback: Loopback?

    /// Fetches from the internet; `loopback` for tests.
    package init(loopback: Loopback? = nil) {
        self.loopback = loopback
    }

    /// What a site says of itself.
    package enum Document: String, Sendable {
        /// Its other origins (WebAuthn Level 3, section 5.11).
        case relatedOrigins = "webauthn"
        /// The apps that are its own (`Docs/apps.md`).
        case apps = "keyway-apps"
    }

    /// The `document` of `domain`; about its other origins where nothing is said.
    ///
    /// - Throws: ``FetchError``.
    package func document(
        _ document: Document = .relatedOrigins, of domain: String
    ) throws(FetchError) -> Data {
        guard Self.isName(domain) else { throw FetchError("no name of a site") }
        guard let handle = curl_easy_init() else { throw FetchError("no memory") }
        defer { curl_easy_cleanup(handle) }
        let isTest = domain.hasSuffix(".test")
        let test = isTest ? loopback : nil
        let received = Received(isLoopbackAllowed: test != nil)
        // A closure of C carries no context: it is handed what it needs as a pointer, which lives as long as this call.
        let context = Unmanaged.passUnretained(received).toOpaque()
        let texts: [(CURLoption, String)] = [
            (CURLOPT_URL, "https://\(domain)/.well-known/\(document.rawValue)"), (CURLOPT_PROTOCOLS_STR, "https"),
            (CURLOPT_REDIR_PROTOCOLS_STR, "https"), (CURLOPT_ACCEPT_ENCODING, "identity"), (CURLOPT_PROXY, ""),
            (CURLOPT_USERAGENT, "keyway-related-origins"),
        ]
        for (option, text) in texts { try check(keyway_curl_set_text(handle, option, text)) }
        let numbers: [(CURLoption, Int)] = [
            (CURLOPT_TIMEOUT, Self.patience), (CURLOPT_CONNECTTIMEOUT, Self.connectPatience), (CURLOPT_NOSIGNAL, 1),
            (CURLOPT_FOLLOWLOCATION, document == .relatedOrigins ? 1 : 0), (CURLOPT_MAXREDIRS, Self.mostRedirects),
            (CURLOPT_SSL_VERIFYPEER, 1),
            (CURLOPT_SSL_VERIFYHOST, 2), (CURLOPT_NETRC, 0), (CURLOPT_MAXFILESIZE, Self.mostBytes),
        ]
        for (option, number) in numbers { try check(keyway_curl_set_long(handle, option, number)) }
        try check(keyway_curl_set_pointer(handle, CURLOPT_WRITEDATA, context))
        try check(keyway_curl_set_writer(handle, Self.writer))
        try check(keyway_curl_set_pointer(handle, CURLOPT_OPENSOCKETDATA, context))
        try check(keyway_curl_set_opener(handle, Self.opener))
        var route: UnsafeMutablePointer<curl_slist>?
        defer { curl_slist_free_all(route) }
        if let test {
            // Of any name, but of the port of HTTPS alone: what a redirection names besides goes where it says.
            route = curl_slist_append(nil, ":443:127.0.0.1:\(test.port)")
            try check(keyway_curl_set_pointer(handle, CURLOPT_CONNECT_TO, route))
            try check(keyway_curl_set_text(handle, CURLOPT_CAINFO, test.authority))
        }
        let result = withExtendedLifetime(received) { curl_easy_perform(handle) }
        guard result == CURLE_OK else { throw FetchError(String(cString: curl_easy_strerror(result))) }
        try judge(handle)
        return Data(received.bytes)
    }

    /// The answer counts if it says that it is the document (section 5.11.1).
    private func judge(_ handle: UnsafeMutableRawPointer) throws(FetchError) {
        var status = 0
        var type: UnsafePointer<CChar>?
        try check(keyway_curl_get_long(handle, CURLINFO_RESPONSE_CODE, &status))
        try check(keyway_curl_get_text(handle, CURLINFO_CONTENT_TYPE, &type))
        guard status == 200 else { throw FetchError("the site has no such document") }
        let name = type.map { String(cString: $0) } ?? ""
        let essence = name.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
        guard essence == "application/json" else { throw FetchError("the document is no JSON") }
    }

    private func check(_ code: CURLcode) throws(FetchError) {
        guard code == CURLE_OK else { throw FetchError(String(cString: curl_easy_strerror(code))) }
    }

    /// Lower-case letters, digits, hyphens and dots: the broker made sure that it is a relying party.
    private static func isName(_ domain: String) -> Bool {
        (1...253).contains(domain.utf8.count) && !domain.hasPrefix("-") && !domain.hasPrefix(".")
            && domain.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
            } && domain.utf8.contains { $0 > UInt8(ascii: "9") }
    }

    // MARK: - What libcurl calls

    /// What came, on the one thread that fetches.
    private final class Received {
        var bytes: [UInt8] = []
        let isLoopbackAllowed: Bool

        init(isLoopbackAllowed: Bool) {
            self.isLoopbackAllowed = isLoopbackAllowed
        }
    }

    private static let writer: curl_write_callback = { part, size, count, context in
        guard let part, let context else { return 0 }
        let received = Unmanaged<Received>.fromOpaque(context).takeUnretainedValue()
        let length = size * count
        guard received.bytes.count + length <= mostBytes else { return 0 }
        received.bytes += UnsafeRawBufferPointer(start: part, count: length)
        return length
    }

    /// The name is looked up already: this is where the connection really goes, after each redirection too.
    private static let opener: curl_opensocket_callback = { context, _, place in
        guard let context, let place else { return CURL_SOCKET_BAD }
        let received = Unmanaged<Received>.fromOpaque(context).takeUnretainedValue()
        let isAllowed = withUnsafePointer(to: &place.pointee.addr) {
            PublicAddress.isAllowed($0, networks: .current(), isLoopbackAllowed: received.isLoopbackAllowed)
        }
        guard isAllowed else { return CURL_SOCKET_BAD }
        return socket(
            place.pointee.family, place.pointee.socktype | CInt(SOCK_CLOEXEC.rawValue), place.pointee.protocol)
    }
}
