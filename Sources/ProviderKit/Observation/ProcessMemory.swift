import CObservation
import Glibc

/// The memory of a process that waits for an answer, as far as strings in it are concerned.
struct ProcessMemory {
    private static let longestString = 4096
    private static let pageSize: UInt64 = 4096
    private static let mostStrings = 512

    private let process: pid_t

    /// The memory of the thread `process`.
    init(_ process: pid_t) {
        self.process = process
    }

    /// The text at `address`, up to its zero; nil when the kernel forbids that, or it does not end.
    func string(at address: UInt64) -> String? {
        var bytes: [UInt8] = []
        var next = address
        while bytes.count < Self.longestString {
            // Not beyond the end of a page at once: the next one may not be there.
            let part = copy(at: next, count: Int(Self.pageSize - next % Self.pageSize))
            guard !part.isEmpty else { return nil }
            if let end = part.firstIndex(of: 0) { return String(decoding: bytes + part[..<end], as: UTF8.self) }
            bytes += part
            next += UInt64(part.count)
        }
        return nil
    }

    /// The texts of a vector that ends with a null pointer.
    func strings(at address: UInt64) -> [String] {
        guard address != 0 else { return [] }
        var result: [String] = []
        while result.count < Self.mostStrings {
            let bytes = copy(at: address + UInt64(result.count * 8), count: 8)
            let pointer = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            guard bytes.count == 8, pointer != 0, let text = string(at: pointer) else { break }
            result.append(text)
        }
        return result
    }

    /// The bytes at `address`, as many of the `count` as there are.
    func copy(at address: UInt64, count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            guard let base = buffer.baseAddress else { return }
            initialized = max(0, cobservation_read(process, address, base, count))
        }
    }
}
