import Glibc
import Testing

@testable import KeywaySystem

@Suite struct UserNamespaceTests {
    @Test(
        arguments: [
            // The first of the machine, whoever asks.
            ("         0          0 4294967295\n", 0, 0, false), ("0 0 4294967295", 1000, 1000, false),
            // `unshare --user`, with and without root in it; where the kernel does not say who made it.
            ("1000 1000 1", 1000, 1000, true), ("0 1000 1", 0, 0, true), ("1000 1000 1", nil, 1000, true),
            ("", 1000, 1000, true),
            // A container of root, of another user of the machine, and what lies beside the first of the machine.
            ("0 0 4294967294", 0, 1000, false), ("0 100000 65536", 65534, 1000, false), ("0 1000 1", 0, 1000, false),
        ] as [(String, uid_t?, uid_t, Bool)])
    func isOwnWhereItsMakerIsTheOneWhoAsks(map: String, owner: uid_t?, user: uid_t, isOwn: Bool) {
        #expect(UserNamespace.isOwn(map: map, owner: owner, user: user) == isOwn)
    }
}
