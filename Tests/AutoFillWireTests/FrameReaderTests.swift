import Testing

@testable import AutoFillWire

@Suite struct FrameReaderTests {
    private func events(_ reader: inout FrameReader) -> [FrameReader.Event] {
        var result: [FrameReader.Event] = []
        while let event = reader.next() { result.append(event) }
        return result
    }

    private func append(_ bytes: some Collection<UInt8>, to reader: inout FrameReader) {
        Array(bytes).withUnsafeBytes { reader.append($0) }
    }

    @Test func findsTheSameFramesHoweverTheStreamIsCut() {
        let frames: [[UInt8]] = [Array("{}".utf8), [], Array(#"{"a":"b"}"#.utf8)]
        let stream = frames.flatMap { FrameWriter.frame($0) }
        for cut in 0...stream.count {
            for second in cut...stream.count {
                var reader = FrameReader(limit: 100)
                var found: [FrameReader.Event] = []
                for part in [stream[..<cut], stream[cut..<second], stream[second...]] {
                    append(part, to: &reader)
                    found += events(&reader)
                }
                #expect(found == frames.map { .frame($0) })
                #expect(reader.isAtBoundary)
            }
        }
    }

    @Test func givesNothingForATruncatedFrame() {
        let whole = FrameWriter.frame(Array(#"{"jsonrpc":"2.0"}"#.utf8))
        for length in 0..<whole.count {
            var reader = FrameReader(limit: 100)
            append(whole[..<length], to: &reader)
            #expect(events(&reader).isEmpty)
            #expect(reader.isAtBoundary == (length == 0))
        }
    }

    @Test func skipsAFrameOverTheLimitAndReadsTheNext() {
        let large = [UInt8](repeating: 0x20, count: 5000)
        let stream = FrameWriter.frame(large) + FrameWriter.frame(Array("{}".utf8))
        for step in [1, 7, 4096, stream.count] {
            var reader = FrameReader(limit: 4999)
            var found: [FrameReader.Event] = []
            for start in stride(from: 0, to: stream.count, by: step) {
                append(stream[start..<min(start + step, stream.count)], to: &reader)
                found += events(&reader)
            }
            #expect(found == [.tooLarge(5000), .frame(Array("{}".utf8))])
        }
    }

    @Test func takesAFrameOfExactlyTheLimit() {
        var reader = FrameReader(limit: 10)
        append(FrameWriter.frame([UInt8](repeating: 1, count: 10)), to: &reader)
        #expect(reader.next() == .frame([UInt8](repeating: 1, count: 10)))
    }

    @Test func reportsTheLargestLengthWithoutAllocatingIt() {
        var reader = FrameReader(limit: 10)
        append([0xFF, 0xFF, 0xFF, 0xFF], to: &reader)
        #expect(reader.next() == .tooLarge(Int(UInt32.max)))
        append([UInt8](repeating: 0, count: 1000), to: &reader)
        #expect(reader.next() == nil)
    }
}

@Suite struct JSONNestingTests {
    @Test(arguments: [
        ("{}", 1, true), ("{}", 0, false), ("[[1]]", 2, true), ("[[1]]", 1, false), (#"{"a":[{"b":1}]}"#, 3, true),
        (#"{"a":[{"b":1}]}"#, 2, false), (#"{"a":"[[[["}"#, 1, true), (#"{"a":"\"[[[["}"#, 1, true),
        (#"{"a":"\\"}"#, 1, true), (#"{"a":"\\","b":[[1]]}"#, 2, false), ("[][][]", 1, true), ("", 0, true),
    ])
    func countsOnlyWhatStandsOutsideStrings(json: String, limit: Int, isWithin: Bool) {
        #expect(JSONNesting.isWithin(limit, Array(json.utf8)) == isWithin)
    }
}
