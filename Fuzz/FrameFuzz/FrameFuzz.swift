import AutoFillWire

/// However a stream is cut into pieces, the same frames come out, none over the limit, and they are what went in.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFrames(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeRawBufferPointer(start: start, count: count)
    guard let first = input.first else { return 0 }
    let stream = UnsafeRawBufferPointer(rebasing: input[1...])
    let whole = events(of: stream, pieces: stream.count)
    let cut = events(of: stream, pieces: Int(first) + 1)
    precondition(whole == cut, "the cuts change what comes out")
    var written: [UInt8] = []
    for case .frame(let bytes) in whole {
        precondition(bytes.count <= limit, "a frame is over the limit")
        written += FrameWriter.frame(bytes)
    }
    let isPlain = whole.allSatisfy { if case .frame = $0 { true } else { false } }
    precondition(!isPlain || stream.starts(with: written), "frames are not what went in")
    return 0
}

private let limit = 1 << 10

private func events(of stream: UnsafeRawBufferPointer, pieces: Int) -> [FrameReader.Event] {
    var reader = FrameReader(limit: limit)
    var result: [FrameReader.Event] = []
    var rest = stream[...]
    while !rest.isEmpty {
        let piece = rest.prefix(pieces)
        rest = rest.dropFirst(pieces)
        reader.append(UnsafeRawBufferPointer(rebasing: piece))
        while let event = reader.next() { result.append(event) }
    }
    return result
}
