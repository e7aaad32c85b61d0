import FoundationEssentials
import Glibc
import Testing

@testable import RelatedOrigins

@Suite struct PublicAddressTests {
    /// The address of `text`, as libcurl hands it over.
    private func isAllowed(
        _ text: String, networks: LocalNetworks? = LocalNetworks([]), isLoopbackAllowed: Bool = false
    ) throws -> Bool {
        if text.contains(":") {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            try #require(inet_pton(AF_INET6, text, &address.sin6_addr) == 1)
            return withUnsafePointer(to: address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    PublicAddress.isAllowed($0, networks: networks, isLoopbackAllowed: isLoopbackAllowed)
                }
            }
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        try #require(inet_pton(AF_INET, text, &address.sin_addr) == 1)
        return withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                PublicAddress.isAllowed($0, networks: networks, isLoopbackAllowed: isLoopbackAllowed)
            }
        }
    }

    @Test(arguments: [
        "0.0.0.0", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.0.1", "169.254.169.254",
        "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1",
        "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.250", "240.0.0.1",
        "255.255.255.255", "::", "::1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "fe80::1", "fc00::1", "fd12:3456::1",
        "ff02::1", "2001:db8::1", "2001::1", "2002:7f00:1::", "2002:c0a8:101::1", "64:ff9b::10.0.0.1",
        "64:ff9b::127.0.0.1", "3fff::1", "100::1",
    ])
    func whatIsNotEverybodysIsNeverConnectedTo(address: String) throws {
        #expect(try !isAllowed(address))
    }

    @Test(arguments: [
        "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.1", "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1",
        "192.167.1.1", "192.169.1.1", "198.17.0.1", "198.20.0.1", "223.255.255.255", "2606:4700::1111", "2a00:1450::1",
        "64:ff9b::8.8.8.8", "2002:808:808::1",
    ])
    func theOpenInternetIs(address: String) throws {
        #expect(try isAllowed(address))
    }

    private static func network(_ address: [UInt8], _ bits: Int) -> LocalNetworks.Network? {
        let mask = (0..<address.count).map { UInt8(truncatingIfNeeded: 0xff00 >> max(0, min(8, bits - $0 * 8))) }
        return LocalNetworks.Network(address: address, mask: mask)
    }

    /// A machine at 8.8.8.1/24 and 2600::1/64, and one end of a line.
    private static let own = LocalNetworks(
        [
            network([8, 8, 8, 1], 24), network([0x26] + [UInt8](repeating: 0, count: 14) + [1], 64),
            network([9, 9, 9, 9], 0), LocalNetworks.Network(address: [1, 1, 1, 1], mask: [255]),
        ].compactMap { $0 })

    @Test(arguments: [
        "8.8.8.1", "8.8.8.254", "2600::1", "2600::ffff", "64:ff9b::8.8.8.9", "2002:808:808::1", "9.9.9.9",
    ])
    func whatLiesInANetworkOfThisMachineIsNeverConnectedTo(address: String) throws {
        #expect(try isAllowed(address))
        #expect(try !isAllowed(address, networks: Self.own))
    }

    @Test(arguments: ["8.8.9.1", "2600:0:0:1::1", "64:ff9b::8.8.9.1", "9.9.9.8", "1.1.1.1"])
    func whatLiesBesideIt(address: String) throws {
        #expect(try isAllowed(address, networks: Self.own))
    }

    @Test func whereTheNetworksAreNotKnownNothingIsConnectedTo() throws {
        #expect(try !isAllowed("1.1.1.1", networks: nil))
    }

    @Test func theMachineKnowsItsOwnNetworks() throws {
        let own = try #require(LocalNetworks.current())
        #expect(own.contains([127, 0, 0, 1]) && own.contains([127, 9, 9, 9]))
    }

    @Test func loopbackIsForTests() throws {
        #expect(try isAllowed("127.0.0.1", isLoopbackAllowed: true))
        #expect(try isAllowed("::1", isLoopbackAllowed: true))
        #expect(try !isAllowed("10.0.0.1", isLoopbackAllowed: true))
        #expect(try !isAllowed("169.254.169.254", isLoopbackAllowed: true))
    }

    @Test(arguments: [
        "", "-a.test", ".a.test", "a b.test", "a/b", "a.test:80", "A.test", "[::1]", "127.0.0.1", "a@b.test", "ä.test",
        "a.test/../x", "a.test?x", "a.test#x", "localhost\n", String(repeating: "a", count: 254),
    ])
    func whatIsNoNameIsNotFetched(name: String) {
        #expect(throws: FetchError.self) { _ = try DocumentFetch().document(of: name) }
    }

    @Test(arguments: [
        (#"{"origins":["https://a.example","https://b.example"]}"#, ["https://a.example", "https://b.example"]),
        (#"{"origins":[]}"#, []), (#"{"origins":["https://a.example\nhttps://b.example"," x","ä",""]}"#, []),
        (#"{"origins":["https://a.example"],"more":{"x":[1]}}"#, ["https://a.example"]),
    ])
    func originsAreReadAsTheyStandThere(json: String, origins: [String]) {
        #expect(RelatedOriginDocument.origins(in: Data(json.utf8)) == origins)
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"origins":"https://a.example"}"#, #"{"origins":[1]}"#, #"{"origin":[]}"#,
        String(repeating: "[", count: 8000),
    ])
    func whatIsNoDocumentNamesNobody(json: String) {
        #expect(RelatedOriginDocument.origins(in: Data(json.utf8)) == nil)
    }

    @Test(arguments: ["", "8443", "8443:", "x:/ca.pem", "8443:ca.pem", "70000:/ca.pem"])
    func aWrongWayToThisMachineIsNone(text: String) {
        #expect(DocumentFetch.Loopback(text) == nil)
    }
}
