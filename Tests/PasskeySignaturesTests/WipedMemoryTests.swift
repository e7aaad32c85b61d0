import Glibc
import KeywayCrypto
import Testing

@testable import PasskeySignatures

/// The heap of libcrypto. What was given back is looked at all the same, behind what the heap itself writes there.
@Suite struct WipedMemoryTests {
    private static let count = 256
    /// The heap keeps its own notes in the first bytes of what is free.
    private static let notes = 32

    private func filled() throws -> UnsafeMutableRawPointer {
        let piece = try #require(WipedMemory.allocate(Self.count, nil, 0))
        memset(piece, 0xAB, Self.count)
        return piece
    }

    private func isWiped(_ piece: UnsafeMutableRawPointer) -> Bool {
        (Self.notes..<Self.count).allSatisfy { piece.load(fromByteOffset: $0, as: UInt8.self) == 0 }
    }

    @Test func isTheOneThatLibcryptoUses() async {
        await #expect(processExitsWith: .success) {
            guard WipedMemory.isInUse, (try? PrivateKey.make(.es256, random: SystemRandomSource())) != nil else {
                exit(1)
            }
        }
    }

    @Test func noSettingsFileIsRead() async {
        await #expect(processExitsWith: .success) {
            // One that names a module, and has libcrypto fail where it cannot be loaded.
            let text = """
                openssl_conf = init
                config_diagnostics = 1
                [init]
                providers = names
                [names]
                stranger = section
                [section]
                module = /nowhere/stranger.so
                activate = 1

                """
            var path = Array("/tmp/keyway-settings-XXXXXX".utf8CString)
            let file = mkstemp(&path)
            guard file >= 0,
                text.utf8.withContiguousStorageIfAvailable({ write(file, $0.baseAddress, $0.count) }) != nil
            else { exit(2) }
            setenv("OPENSSL_CONF", path, 1)
            let key = try? PrivateKey.make(.es256, random: SystemRandomSource())
            unlink(path)
            exit(key == nil ? 1 : 0)
        }
    }

    @Test func whatIsGivenBackIsWiped() throws {
        let piece = try filled()
        WipedMemory.release(piece, nil, 0)
        #expect(isWiped(piece))
        WipedMemory.release(nil, nil, 0)
    }

    @Test func whatMovesIsWipedWhereItWas() throws {
        let piece = try filled()
        let moved = try #require(WipedMemory.reallocate(piece, 4 * Self.count, nil, 0))
        #expect(isWiped(piece))
        #expect((0..<Self.count).allSatisfy { moved.load(fromByteOffset: $0, as: UInt8.self) == 0xAB })
        #expect(WipedMemory.reallocate(moved, 0, nil, 0) == nil)
        #expect(isWiped(moved))
    }

    @Test func whatIsMovedFromNowhereIsNew() throws {
        let piece = try #require(WipedMemory.reallocate(nil, Self.count, nil, 0))
        WipedMemory.release(piece, nil, 0)
    }
}
