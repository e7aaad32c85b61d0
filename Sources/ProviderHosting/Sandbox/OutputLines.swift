import AutoFillWire

/// Makes lines for the log of what a provider's program writes to its standard output and error: as many, and as long,
/// as somebody would read.
struct OutputLines {
    /// The most bytes of a line; the rest of it is left out.
    static let maximumBytes = 500
    /// The most lines in one second, and of one process.
    static let (eachSecond, inAll) = (20, 2000)

    private var line: [UInt8] = []
    private var second: UInt64 = 0
    private var inSecond = 0
    private var count = 0
    private var dropped = 0

    /// Nothing was written.
    init() {}

    /// The lines that end in `bytes`, which were read in that second of any clock.
    mutating func take(_ bytes: some Sequence<UInt8>, second: UInt64) -> [String] {
        var lines: [String] = []
        if second != self.second {
            (self.second, inSecond) = (second, 0)
            if dropped > 0, count < Self.inAll { lines.append("(\(dropped) lines more)") }
            if count < Self.inAll { dropped = 0 }
        }
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                if let text = end() { lines.append(text) }
            } else if line.count < Self.maximumBytes {
                line.append(byte)
            }
        }
        return lines
    }

    /// What was written after the last line.
    mutating func rest() -> String? { line.isEmpty ? nil : end() }

    private mutating func end() -> String? {
        defer { line.removeAll(keepingCapacity: true) }
        let text = DisplayText.line(String(decoding: line, as: UTF8.self))
        guard !text.isEmpty else { return nil }
        guard inSecond < Self.eachSecond, count < Self.inAll else {
            dropped += 1
            return nil
        }
        inSecond += 1
        count += 1
        return count == Self.inAll ? text + " (nothing more of this process is written down)" : text
    }
}
