import AutoFillProtocol
import AutoFillWire
import Glibc
import KeywaySystem
import PasswordsProtocol
import Testing
import Vault

@testable import PasswordsService

/// Files of items through the whole service: attached, named with their size, handed out like a secret, removed.
@Suite struct FileTests {
    private let harness: TestService

    init() throws { harness = try TestService() }

    private static func document(_ bytes: [UInt8]) throws -> Attachment {
        let document = try SealedDocument { (write) throws(ProtocolError) in
            let outcome = bytes.withUnsafeBytes { bytes in
                Result { () throws(ProtocolError) in try write(bytes) }
            }
            try outcome.get()
        }
        return Attachment(document.descriptor)
    }

    private static func bytes(_ content: Attachment) throws -> [UInt8] {
        try SealedDocument(received: content.descriptor, limit: AttachFile.longest).withUnsafeBytes {
            (bytes) throws(ProtocolError) in Array(bytes)
        }
    }

    private func terminal() async throws -> Connection {
        let terminal = try await harness.withVault()
        try await terminal.add("Example") { $0.user = "ada" }
        return terminal
    }

    private func attach(
        _ name: String, _ bytes: [UInt8], _ terminal: Connection
    ) async throws -> AttachFile.Result {
        try await terminal.call(
            AttachFile.self, .init(item: ItemName("Example"), name: name, content: try Self.document(bytes)))
    }

    private func read(_ file: String, _ terminal: Connection) async throws -> [UInt8] {
        let found = try await terminal.call(ReadFile.self, .init(item: ItemName("Example"), file: file))
        return try Self.bytes(found.content)
    }

    @Test(arguments: [0, 1, 3_000_000])
    func whatIsAttachedIsHandedOutByteForByte(size: Int) async throws {
        let terminal = try await terminal()
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let attached = try await attach("a.bin", bytes, terminal)
        #expect(attached.section.title == "a.bin" && attached.section.size == size)
        #expect(try await read("a.bin", terminal) == bytes)
        #expect(try await read("\(attached.section.number)", terminal) == bytes)
        let summary = try await terminal.show(ItemName("Example")).summary
        #expect(summary.sections?.map(\.size) == [size])
    }

    @Test func aFileIsFoundByItsNameAloneAndGoesWithItsSection() async throws {
        let terminal = try await terminal()
        _ = try await attach("a", [1], terminal)
        #expect(await code { _ = try await attach("a", [2], terminal) } == .exists)
        #expect(await code { _ = try await read("b", terminal) } == .notFound)
        let number = try await attach("b", [2, 2], terminal).section.number
        _ = try await terminal.edit(ItemName("Example")) { $0.removedSections = [number] }
        #expect(await code { _ = try await read("b", terminal) } == .notFound)
        #expect(try await read("a", terminal) == [1])
    }

    @Test(arguments: ["", " ", "line\nbreak", String(repeating: "n", count: 256)])
    func aNameThatIsNoneIsRefused(name: String) async throws {
        let terminal = try await terminal()
        #expect(await code { _ = try await attach(name, [1], terminal) } == .invalidParameters)
    }

    @Test func aFileThatIsTooLargeIsRefusedBeforeItIsRead() async throws {
        let terminal = try await terminal()
        // A hole, which takes no memory.
        let memory = try ReturnedMemory()
        #expect(ftruncate(memory.descriptor.rawValue, off_t(AttachFile.longest + 1)) == 0)
        try ReturnedMemory.seal(memory.descriptor)
        let parameters = AttachFile.Parameters(
            item: ItemName("Example"), name: "large", content: Attachment(memory.descriptor))
        #expect(await code { _ = try await terminal.call(AttachFile.self, parameters) } == .invalidParameters)
        #expect(AttachFile.longest == FileContent.largest)
    }

    @Test func whereTheVaultKeepsAFileIsNotShown() async throws {
        let terminal = try await terminal()
        let number = try await attach("a", [1, 2], terminal).section.number
        let shown = try await terminal.call(
            ShowSection.self, .init(item: ItemName("Example"), section: number, opens: true))
        #expect(Set(shown.members.map(\.name)) == ["name", "decryptedSize", "integrityHash"])
    }
}
