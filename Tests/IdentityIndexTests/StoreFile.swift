import BrokerTestSupport
import KeywayCrypto
import ServiceMatching

@testable import IdentityIndex

/// One store's file, opened with a key of the test's.
struct StoreFile {
    static let suffixes = PublicSuffixes()

    let path: String
    var key: UInt8 = 1
    var provider = "test"

    func table() throws -> sending IdentityTable {
        try IdentityDatabase.open(
            path: path, provider: provider, key: ScriptedStoreKey.key(key), suffixes: Self.suffixes)
    }

    func writer() throws -> IdentityWriter {
        IdentityWriter(try table(), folder: String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
    }

    func reader() throws -> IdentityReader {
        try IdentityReader(path: path, keys: table().keys, suffixes: Self.suffixes)
    }
}
