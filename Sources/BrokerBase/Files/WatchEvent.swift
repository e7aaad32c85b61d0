import Glibc

/// One thing that inotify(7) told.
struct WatchEvent {
    let watch: CInt
    private let mask: UInt32
    /// Which name in the watched folder; nil for what happened to the watched file or folder itself.
    let name: String?

    /// Whether the kernel left something out.
    var isOverflow: Bool { mask & UInt32(IN_Q_OVERFLOW) != 0 }

    /// Whether nothing more is told of that file or folder.
    var isLast: Bool { mask & UInt32(IN_IGNORED) != 0 }

    /// What stands in `bytes`: events as the kernel lays them out, whole ones only.
    static func events(in bytes: ArraySlice<UInt8>) -> [WatchEvent] {
        let head = MemoryLayout<inotify_event>.size
        var (events, rest) = ([WatchEvent](), bytes)
        while rest.count >= head {
            let event = rest.withUnsafeBytes { $0.loadUnaligned(as: inotify_event.self) }
            let name = rest.dropFirst(head).prefix(Int(event.len)).prefix { $0 != 0 }
            events.append(
                WatchEvent(
                    watch: event.wd, mask: event.mask,
                    name: name.isEmpty ? nil : String(decoding: name, as: UTF8.self)))
            rest = rest.dropFirst(head + Int(event.len))
        }
        return events
    }
}

/// Who wants to know what of one watched file or folder.
struct WatchedFile {
    /// Stands for all names of a folder; no file has it.
    static let everyName = "/"

    /// What is told of a folder: of the names in it, of what those files are, and of itself.
    static let folderEvents = UInt32(
        IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)
    /// What is told of a file. Who writes through a mapping is told when they close it.
    static let fileEvents = UInt32(IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)

    /// Whether the kernel tells of every change where it lies.
    let isLocal: Bool
    private var names: [String: Set<Int>] = [:]
    private var all: Set<Int> = []

    /// A file or folder that nobody wants to know of yet.
    init(isLocal: Bool) {
        self.isLocal = isLocal
    }

    /// Whether anybody does.
    var isWanted: Bool { !all.isEmpty }

    /// The trace wants to know of `name`, and of the file or folder itself.
    mutating func add(_ trace: Int, _ name: String?) {
        all.insert(trace)
        if let name { names[name, default: []].insert(trace) }
    }

    mutating func forget(_ trace: Int) {
        all.remove(trace)
        for name in names.keys { names[name]?.remove(trace) }
        names = names.filter { !$0.value.isEmpty }
    }

    /// Who wants to know of `event`.
    func traces(for event: WatchEvent) -> Set<Int> {
        guard let name = event.name else { return all }
        return (names[name] ?? []).union(names[Self.everyName] ?? [])
    }
}
