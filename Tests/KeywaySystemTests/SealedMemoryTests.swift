import CSys
import FoundationEssentials
import Glibc
import Testing

@testable import KeywaySystem

@Suite struct SealedMemoryTests {
    @Test(arguments: ["", "a", "correct horse battery staple", String(repeating: "x", count: 70_000)])
    func holdsWhatWasCopied(text: String) throws {
        let memory = try sealed(text)
        #expect(memory.count == text.utf8.count)
        #expect(try opened(memory) == text)
    }

    @Test func cannotBeWrittenOrResizedByAnyone() throws {
        let memory = try sealed("secret")
        #expect(write(memory.descriptor.rawValue, "x", 1) < 0)
        #expect(ftruncate(memory.descriptor.rawValue, 1) < 0)
        #expect(ftruncate(memory.descriptor.rawValue, 100) < 0)
        #expect(try opened(memory) == "secret")
    }

    @Test func refusesMemoryThatItsSenderCouldStillChange() throws {
        let unsealed = OwnedDescriptor(csys_memfd_create("test"))
        #expect(throws: ProtocolError(.invalidParameters, "")) { try SealedMemory(received: unsealed) }
    }

    @Test func refusesWhatIsNoMemoryFile() throws {
        let (socket, _) = try LocalSocket.pair()
        #expect(throws: ProtocolError(.invalidParameters, "")) { try SealedMemory(received: socket) }
    }

    @Test func refusesMoreThanTheLimit() throws {
        let large = [UInt8](repeating: 0, count: SealedMemory.maximumCount + 1)
        #expect(throws: ProtocolError(.invalidParameters, "")) {
            try large.withUnsafeBytes { try SealedMemory(copying: $0) }
        }
    }

    @Test func refusesAReceivedFileOverTheLimit() throws {
        let file = OwnedDescriptor(csys_memfd_create("test"))
        #expect(ftruncate(file.rawValue, off_t(SealedMemory.maximumCount + 1)) == 0)
        #expect(csys_memfd_seal(file.rawValue) == 0)
        #expect(throws: ProtocolError(.invalidParameters, "")) { try SealedMemory(received: file) }
    }

    @Test func showsNothingOfItsBytes() throws {
        let memory = try sealed("hunter2")
        for text in [String(describing: memory), String(reflecting: memory)] {
            #expect(!text.contains("hunter2"))
        }
        var dumped = ""
        dump(memory, to: &dumped)
        #expect(!dumped.contains("hunter2"))
    }
}

@Suite struct SealedDocumentTests {
    private func document(_ count: Int, limit: Int) throws -> SealedDocument {
        try SealedDocument(limit: limit) { (write) throws(ProtocolError) in
            let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 1)
            defer { piece.deallocate() }
            piece.initializeMemory(as: UInt8.self, repeating: 0x20)
            for start in stride(from: 0, to: count, by: piece.count) {
                try write(UnsafeRawBufferPointer(rebasing: piece[..<min(piece.count, count - start)]))
            }
        }
    }

    @Test func whatIsWrittenAndWhatIsTakenHasItsLimit() throws {
        let document = try document(1000, limit: 1000)
        #expect(document.count == 1000)
        #expect(throws: ProtocolError(.refused, "")) { try self.document(1001, limit: 1000) }
        #expect(throws: ProtocolError(.invalidParameters, "")) {
            try SealedDocument(received: document.descriptor, limit: 999)
        }
    }

    /// What a vault holds is more than anybody's file may be.
    @Test func anExportMayBeLargerThanAnImport() throws {
        let count = SealedDocument.maximumCount + 1
        #expect(throws: ProtocolError(.refused, "")) { try document(count, limit: SealedDocument.maximumCount) }
        let export = try document(count, limit: SealedDocument.maximumExport)
        #expect(export.count == count)
        #expect(throws: ProtocolError(.invalidParameters, "")) { try SealedDocument(received: export.descriptor) }
        #expect(try SealedDocument(received: export.descriptor, limit: SealedDocument.maximumExport).count == count)
    }
}
