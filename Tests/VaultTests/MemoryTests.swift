import Glibc
import KeywayCrypto
import Testing

@testable import Vault

/// T29, for the library: after lock, no secret that was in the vault stands anywhere in the memory of the process.
@Suite struct MemoryTests {
    /// Text that exists in memory only where it is asked for: kept masked otherwise.
    struct Canary {
        private let masked: [UInt8]
        let name: String

        init(_ name: String) {
            self.name = name
            // Letters, and in the middle two bytes that are rare in memory: the scan stops at the first of them.
            let random = SystemRandomSource()
            let letters = random.bytes(22).map { (97 + $0 % 26) ^ 0x55 }
            masked = letters[..<8] + [0xd3 ^ 0x55, 0xa9 ^ 0x55] + letters[8...]
        }

        var secret: SecretBytes {
            SecretBytes(count: masked.count) { room in
                for (place, byte) in masked.enumerated() { room[place] = byte ^ 0x55 }
            }
        }

        /// How often the text, or all but its first eight bytes, stands in these bytes.
        func count(in bytes: UnsafeRawBufferPointer) -> Int {
            var (found, from) = (0, 0)
            guard let start = bytes.baseAddress else { return 0 }
            let first = Int32(masked[8] ^ 0x55)
            while from < bytes.count, let hit = memchr(start + from, first, bytes.count - from) {
                let place = UnsafeRawPointer(hit) - start
                let rest = bytes[place...].prefix(masked.count - 8)
                if rest.count == masked.count - 8, rest.elementsEqual(masked[8...].lazy.map { $0 ^ 0x55 }) {
                    found += 1
                }
                from = place + 1
            }
            return found
        }
    }

    /// How often each canary stands in all memory of this process that can be read.
    static func scan(_ canaries: [Canary]) -> [Int] {
        let size = 1 << 20
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size + 64, alignment: 4096)
        defer {
            wipe(buffer)
            buffer.deallocate()
        }
        let memory = open("/proc/self/mem", O_RDONLY)
        defer { close(memory) }
        var found = [Int](repeating: 0, count: canaries.count)
        let own = UInt(bitPattern: buffer.baseAddress)
        for (low, high) in regions() {
            var place = low
            while place < high {
                let wanted = min(size, Int(high - place))
                let count = pread(memory, buffer.baseAddress, wanted, off_t(truncatingIfNeeded: place))
                // Its own window is the one place where it may see what it has just read.
                if count > 0, !(place < own + UInt(buffer.count) && own < place + UInt(count)) {
                    let window = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count])
                    for (index, canary) in canaries.enumerated() { found[index] += canary.count(in: window) }
                }
                place += UInt(wanted)
            }
        }
        return found
    }

    private static func regions() -> [(UInt, UInt)] {
        let file = open("/proc/self/maps", O_RDONLY)
        defer { close(file) }
        var (text, block) = ([UInt8](), [UInt8](repeating: 0, count: 65536))
        while case let count = read(file, &block, block.count), count > 0 { text += block[..<count] }
        return String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap { line in
            guard line.contains(" r"), !line.contains("[v") else { return nil }
            let ends = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
            return ends.count == 2 ? (ends[0], ends[1]) : nil
        }
    }

    @Test func findsNoSecretAfterLock() async {
        await #expect(processExitsWith: .success) {
            do {
                exit(try MemoryTests.useAndLock())
            } catch {
                exit(100)
            }
        }
    }

    /// The number of the first canary that is found after lock; 0 when none is, more than 80 when the test is wrong.
    static func useAndLock() throws -> Int32 {
        let canaries = ["master", "password", "second", "notes", "hidden", "new master"].map(Canary.init)
        let folder = try TemporaryFolder()
        let vault = try unlock(folder.file("test.vault"), canaries)
        let trouble = try use(vault, canaries)
        guard trouble == 0 else { return trouble }
        vault.lock()
        for (index, count) in scan(canaries).enumerated() where count > 0 { return Int32(index + 1) }
        return 0
    }

    private static func unlock(_ path: String, _ canaries: [Canary]) throws -> UnlockedVault {
        let environment = VaultEnvironment(epochs: TestEpochs())
        try Vault.create(at: path, password: canaries[0].secret, derivation: .floor, environment: environment)
        return try LockedVault.open(at: path, environment: environment).unlock(password: canaries[0].secret)
    }

    /// Does everything once that touches secrets.
    private static func use(_ vault: UnlockedVault, _ canaries: [Canary]) throws -> Int32 {
        let id = try vault.add(
            ItemDraft(
                title: "title", userName: "user", password: canaries[1].secret, notes: canaries[3].secret,
                fields: [CustomField(name: "PIN", value: canaries[4].secret, isHidden: true)]))
        try vault.edit(id, ItemChanges(password: canaries[2].secret))
        guard scan(canaries) == [0, 0, 0, 0, 0, 0] else { return 81 }
        let opened = try vault.body(of: id)
        // The scanner finds what is there: each once, in the opened body.
        guard scan(canaries) == [0, 1, 1, 1, 1, 0] else { return 82 }
        guard opened.password == canaries[2].secret, opened.history.first?.password == canaries[1].secret,
            opened.notes == canaries[3].secret, opened.fields.first?.value == canaries[4].secret
        else { return 83 }
        _ = try vault.search("user")
        try vault.changeMasterPassword(old: canaries[0].secret, new: canaries[5].secret)
        try vault.verify()
        return 0
    }
}
