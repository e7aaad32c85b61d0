import Benchmarking
import Glibc
import KeywaySystem

/// What the disk itself takes: one block written and flushed, in the same folder. Nothing that must survive a power cut
/// can take less, so a time of ours means something only beside it.
enum DiskFlush {
    static func row(in folder: String, size: Int) throws -> BenchmarkRow {
        let path = "\(folder)/flush"
        let file = OwnedDescriptor(try SystemCall.check("open") { open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600) })
        defer { unlink(path) }
        let block = [UInt8](repeating: 7, count: 4096)
        var times: [Double] = []
        for run in 0..<100 {
            let started = MonotonicTime.now
            guard pwrite(file.rawValue, block, block.count, off_t(run * block.count)) == block.count,
                fdatasync(file.rawValue) == 0
            else { throw ProtocolError.system("fdatasync", errno) }
            times.append(MonotonicTime.now.since(started).milliseconds)
        }
        return BenchmarkRow(name: "disk-flush", size: size, samples: Samples(times))
    }
}
