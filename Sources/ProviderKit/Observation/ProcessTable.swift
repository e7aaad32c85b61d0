import Glibc

/// What `/proc` says of processes.
enum ProcessTable {
    /// One process.
    struct Entry: Hashable, Sendable {
        let processIdentifier: Int32
        let parent: Int32
        let session: Int32
        let name: String
    }

    /// The processes that run now; those that have ended and were not collected are left out.
    static func running() -> [Entry] {
        guard let folder = opendir("/proc") else { return [] }
        defer { closedir(folder) }
        var entries: [Entry] = []
        while let item = readdir(folder) {
            let name = withUnsafePointer(to: &item.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if let number = Int32(name), let entry = entry(number) { entries.append(entry) }
        }
        return entries
    }

    /// Memory that stands in RAM for the process, in bytes; nil when it has ended.
    static func residentBytes(_ process: Int32) -> Int? {
        guard let fields = text("/proc/\(process)/statm")?.split(separator: " "), fields.count > 1 else { return nil }
        return Int(fields[1]).map { $0 * Int(sysconf(CInt(_SC_PAGESIZE))) }
    }

    private static func entry(_ number: Int32) -> Entry? {
        // The name may hold anything, brackets too; the fields begin behind the last one.
        guard let line = text("/proc/\(number)/stat"), let open = line.firstIndex(of: "("),
            let close = line.lastIndex(of: ")")
        else { return nil }
        let fields = line[line.index(after: close)...].split(separator: " ")
        guard fields.count > 3, fields[0] != "Z", fields[0] != "X", let parent = Int32(fields[1]),
            let session = Int32(fields[3])
        else { return nil }
        let name = String(line[line.index(after: open)..<close])
        return Entry(processIdentifier: number, parent: parent, session: session, name: name)
    }

    private static func text(_ path: String) -> String? {
        bytes(path).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func bytes(_ path: String) -> [UInt8]? {
        FileText.bytes(path, limit: 1 << 20)
    }
}
