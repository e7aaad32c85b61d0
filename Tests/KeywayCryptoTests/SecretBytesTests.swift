import Glibc
import Testing

@testable import KeywayCrypto

@Suite struct SecretBytesTests {
    @Test func lendsWhatItWasGiven() {
        let secret = SecretBytes(copying: [1, 2, 3])
        #expect(secret.withUnsafeBytes { Array($0) } == [1, 2, 3])
        #expect(SecretBytes(copyingUTF8Of: "pä").count == 3)
        #expect(SecretBytes(copying: []).isEmpty)
    }

    @Test func comparesContentAndLength() {
        let secret = SecretBytes(copying: [1, 2, 3])
        #expect(secret == SecretBytes(copying: [1, 2, 3]))
        #expect(secret != SecretBytes(copying: [1, 2, 4]))
        #expect(secret != SecretBytes(copying: [1, 2]))
        #expect(SecretBytes(copying: []) == SecretBytes(copying: []))
    }

    @Test func keepsOnlyWhatWasFilled() {
        let secret = SecretBytes(upTo: 100) { room in
            room[0] = 7
            return 1
        }
        #expect(secret == SecretBytes(copying: [7]))
    }

    @Test func passesTheErrorOfItsInitializerOn() {
        #expect(throws: CryptoError(.invalidParameter, "")) {
            try SecretBytes(count: 4) { (_) throws(CryptoError) in throw CryptoError(.invalidParameter, "test") }
        }
        #expect(throws: CryptoError(.invalidParameter, "")) {
            try SecretBytes(upTo: 4) { (_) throws(CryptoError) in throw CryptoError(.invalidParameter, "test") }
        }
    }

    @Test func showsItselfRedacted() {
        let secret = SecretBytes(copyingUTF8Of: "correct horse")
        var dumped = ""
        dump(secret, to: &dumped)
        for text in ["\(secret)", String(reflecting: secret), dumped, "\([secret])"] {
            #expect(!text.contains("horse"))
            #expect(text.contains("redacted"))
        }
    }

    @Test func worksWhereNoMemoryMayBeLocked() async {
        // In a process of its own: without the rights of root, which no limit binds, and with a limit of zero.
        await #expect(processExitsWith: .success) {
            var none = rlimit(rlim_cur: 0, rlim_max: 0)
            guard setrlimit(Int32(__RLIMIT_MEMLOCK.rawValue), &none) == 0 else { exit(2) }
            if geteuid() == 0, setuid(65534) != 0 { exit(3) }
            var page = [UInt8](repeating: 0, count: 4096)
            guard mlock(&page, page.count) != 0 else { exit(4) }
            let many = (0..<100).map { SecretBytes(copying: [UInt8](repeating: UInt8($0), count: 100)) }
            let buffer = SecretBuffer(capacity: 1)
            for secret in many { buffer.append(secret) }
            exit(buffer.finish().withUnsafeBytes { $0.last == 99 } ? 0 : 5)
        }
    }
}

@Suite struct SecretBufferTests {
    @Test func growsAndShrinksLikeItsInput() {
        let buffer = SecretBuffer(capacity: 1)
        for byte in 0..<200 { buffer.append(UInt8(byte)) }
        buffer.removeLast(100)
        buffer.append(utf8Of: "é")
        buffer.append(SecretBytes(copying: [9]))
        let expected = (0..<100).map(UInt8.init) + Array("é".utf8) + [9]
        #expect(buffer.count == expected.count)
        #expect(buffer.finish() == SecretBytes(copying: expected))
        #expect(buffer.count == 0)
    }

    @Test func takesAwayAtMostWhatIsThere() {
        let buffer = SecretBuffer()
        buffer.append(1)
        buffer.removeLast(5)
        #expect(buffer.finish().isEmpty)
    }

    @Test func wipesWhatWasTakenAway() {
        let buffer = SecretBuffer()
        buffer.append(utf8Of: "secret")
        buffer.removeAll()
        buffer.append(count: 6) { room in #expect(room.allSatisfy { $0 == 0 }) }
    }

    @Test func showsItselfRedacted() {
        let buffer = SecretBuffer()
        buffer.append(utf8Of: "correct horse")
        var dumped = ""
        dump(buffer, to: &dumped)
        #expect(!dumped.contains("horse") && !"\(buffer)".contains("horse"))
    }
}

@Suite struct GuardedMemoryTests {
    @Test(arguments: [1, 32, 4000, 4096, 70_000]) func whatIsGivenBackIsNotReadByWhoGetsItNext(count: Int) {
        // More than are kept, so that each is one that was used, or a new one.
        for _ in 0..<200 {
            _ = SecretBytes(upTo: count) { room in
                #expect(room.allSatisfy { $0 == 0 })
                for index in room.indices { room[index] = 7 }
                return 0
            }
        }
    }

    @Test func aPageIsUsedAgain() async {
        // In a process of its own, where nobody else takes a page.
        await #expect(processExitsWith: .success) {
            let first = GuardedMemory.allocate(100)
            GuardedMemory.free(first, 100)
            exit(GuardedMemory.allocate(100) == first ? 0 : 1)
        }
    }

    @Test func manyAtATimeAreDifferentAndComeBack() {
        let many = (0..<1000).map { SecretBytes(copying: [UInt8($0 & 255)]) }
        #expect(
            many.enumerated().allSatisfy { index, secret in secret.withUnsafeBytes { $0[0] == UInt8(index & 255) } })
    }

    @Test func aWriteBeforeASecretEndsTheProgram() async {
        await #expect(processExitsWith: .signal(SIGABRT)) {
            let secret = GuardedMemory.allocate(16)
            (secret - 1).storeBytes(of: 1, as: UInt8.self)
            GuardedMemory.free(secret, 16)
        }
    }

    @Test func aWriteBehindASecretEndsTheProgramAlsoInAPageThatWasUsed() async {
        await #expect(processExitsWith: .signal(SIGSEGV)) {
            GuardedMemory.free(GuardedMemory.allocate(4000), 4000)
            (GuardedMemory.allocate(16) + 16).storeBytes(of: 1, as: UInt8.self)
        }
    }
}
