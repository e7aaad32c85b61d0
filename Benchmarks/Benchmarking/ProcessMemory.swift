import Glibc

/// What the kernel says of the memory of processes (proc(5)).
package enum ProcessMemory {
    /// The most resident memory that the process ever had, in MiB (`VmHWM`); 0 once it has ended.
    package static func peakMiB(of process: Int32) -> Double {
        mebibytes("VmHWM:", in: ProcessFiles.text("/proc/\(process)/status"))
    }

    /// The memory that the process has now, shared pages in proportion, in MiB (`Pss` of `smaps_rollup`).
    ///
    /// Falls back to the resident memory where another user's process may not be looked into that closely.
    package static func proportionalMiB(of process: Int32) -> Double {
        let rollup = mebibytes("Pss:", in: ProcessFiles.text("/proc/\(process)/smaps_rollup"))
        return rollup > 0 ? rollup : mebibytes("VmRSS:", in: ProcessFiles.text("/proc/\(process)/status"))
    }

    /// The process and all that descend from it.
    package static func family(of process: Int32) -> [Int32] {
        let children = ProcessFiles.text("/proc/\(process)/task/\(process)/children") ?? ""
        let others = threads(of: process).filter { $0 != process }.map {
            ProcessFiles.text("/proc/\(process)/task/\($0)/children") ?? ""
        }
        let direct = ([children] + others).flatMap { $0.split(separator: " ").compactMap { Int32($0) } }
        return [process] + direct.flatMap(family)
    }

    /// The number after `name` in a file of `name value kB` lines, in MiB.
    static func mebibytes(_ name: String, in text: String?) -> Double {
        let line = text?.split(separator: "\n").first { $0.hasPrefix(name) }
        let words = line?.split(whereSeparator: { $0 == " " || $0 == "\t" })
        return (words.flatMap { $0.count > 1 ? Double($0[1]) : nil } ?? 0) / 1024
    }

    private static func threads(of process: Int32) -> [Int32] {
        guard let folder = opendir("/proc/\(process)/task") else { return [] }
        defer { closedir(folder) }
        var result: [Int32] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if let number = Int32(name) { result.append(number) }
        }
        return result
    }
}
