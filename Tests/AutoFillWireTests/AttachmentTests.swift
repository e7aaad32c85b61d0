import FoundationEssentials
import Testing

@testable import AutoFillWire
@testable import KeywaySystem

@Suite struct AttachmentTests {
    @Test func anAttachmentIsNotWrittenOutsideAConnection() throws {
        let attachment = Attachment(try sealed("hunter2"))
        #expect(throws: (any Error).self) { try JSONEncoder().encode(attachment) }
        #expect(throws: (any Error).self) {
            try JSONDecoder().decode(Attachment.self, from: Data(#"{"descriptor":0}"#.utf8))
        }
    }
}
