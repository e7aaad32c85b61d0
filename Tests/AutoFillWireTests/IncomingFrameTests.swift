import Testing

@testable import AutoFillWire
@testable import KeywaySystem

/// A frame is parsed once, and its members are read later.
struct IncomingFrameTests {
    private struct Pair: Codable, Hashable {
        let text: String
        let list: [Int]
    }

    private func frame(_ json: String) throws -> IncomingFrame {
        try IncomingFrame.read(Array(json.utf8), limits: WireLimits(), AttachmentList())
    }

    @Test func membersAreReadWhenTheBytesOfTheFrameAreGone() throws {
        let frames = try (0..<200).map { number in
            try frame(#"{"jsonrpc":"2.0","id":1,"params":{"text":"n\u00e4\#(number)","list":[\#(number)]},"result":3}"#)
        }
        for (number, frame) in frames.enumerated() {
            #expect(try frame.params.decode(Pair.self) == Pair(text: "nä\(number)", list: [number]))
            #expect(try frame.result.decode(Int.self) == 3)
        }
    }

    @Test(arguments: [
        ("", "params"), (#","params":null"#, "params"), (#","params":3"#, "params"), (#","params":{}"#, "params.text"),
        (#","params":{"text":3}"#, "params.text"), (#","params":{"text":"","list":[1,"2"]}"#, "params.list.Index 1"),
    ])
    func whatIsWrongIsNamedByItsPlace(member: String, place: String) throws {
        let frame = try frame(#"{"jsonrpc":"2.0","id":1,"method":"x"\#(member)}"#)
        let error = #expect(throws: ProtocolError.self) { try frame.params.decode(Pair.self) }
        #expect(error?.code == .invalidParameters)
        #expect(error?.message == "A member is missing or mistyped: \(place).")
    }
}
