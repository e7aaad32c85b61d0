import SystemBus

/// One session of the person, as login1 knows it.
package struct LoginSession: Hashable, Sendable {
    /// The kinds of session that windows can be opened in.
    private static let graphical: Set<String> = ["x11", "wayland", "mir"]

    /// What it is: `x11`, `wayland`, `tty`, `unspecified`.
    package var kind = ""
    /// Whether it is the one that its seat shows.
    package var isActive = false
    /// Whether it came over a network.
    package var isRemote = false
    /// Whether it says that it is locked.
    package var isLocked = false
    /// Where its screen and keyboard are; empty for none.
    package var seat = ""
    /// The display of a session on X, such as `:0`; empty where login1 was told of none.
    package var display = ""

    /// Whether its windows are those of an X server.
    package var isX11: Bool { kind == "x11" }

    /// Whether it is a desktop on this machine, whoever sits before it now.
    package var isDesktop: Bool { !isRemote && Self.graphical.contains(kind) }

    /// A session of which nothing is known.
    package init() {}

    /// Whether the person sits before it now and sees what is drawn there.
    package var isSeen: Bool {
        isActive && !isRemote && !isLocked && !seat.isEmpty && Self.graphical.contains(kind)
    }
}

extension LoginMonitor {
    /// The sessions of the person, as they are now; nil where login1 cannot be asked.
    package func sessions() async -> [LoginSession]? {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: try? self.readSessions()) }
        }
    }

    private func readSessions() throws(BusError) -> [LoginSession]? {
        guard let bus else { return nil }
        var sessions: [LoginSession] = []
        for path in try sessionPaths() {
            let object = BusObject(service: Self.service, path: path, interface: Self.properties)
            // One that ended just now is none.
            let session = try? bus.call(object, "GetAll", [.string(Self.session)]) { (answer) throws(BusError) in
                try LoginSession(properties: answer)
            }
            if let session { sessions.append(session) }
        }
        return sessions
    }
}

extension LoginSession {
    /// Reads what `GetAll` answers.
    init(properties: BusMessage) throws(BusError) {
        self.init()
        guard try properties.enter(BusType.array, "{sv}") else { return }
        while try properties.enter(BusType.entry, "sv") {
            switch try properties.readString() {
            case "Display": display = try properties.variant("s", Self.string)
            case "Type": kind = try properties.variant("s", Self.string)
            case "Active": isActive = try properties.variant("b", Self.truth)
            case "Remote": isRemote = try properties.variant("b", Self.truth)
            case "LockedHint": isLocked = try properties.variant("b", Self.truth)
            case "Seat":
                seat = try properties.variant("(so)") { (message) throws(BusError) in
                    guard try message.enter(BusType.structure, "so") else { return "" }
                    let name = try message.readString()
                    try message.skip("o")
                    try message.leave()
                    return name
                }
            default: try properties.skip("v")
            }
            try properties.leave()
        }
    }
}

extension LoginSession {
    private static func string(_ message: BusMessage) throws(BusError) -> String { try message.readString() }

    private static func truth(_ message: BusMessage) throws(BusError) -> Bool { try message.readBoolean() }
}

extension BusMessage {
    /// Reads what is in a variant of this type.
    fileprivate func variant<Value>(
        _ type: String, _ read: (BusMessage) throws(BusError) -> Value
    ) throws(BusError) -> Value {
        guard try enter(BusType.variant, type) else { throw BusError(.malformed, "a property of a session") }
        let value = try read(self)
        try leave()
        return value
    }
}
