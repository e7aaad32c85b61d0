/// What `keyway-confine` is told: the one place that knows its command line, for who starts it and for itself.
package struct ConfineCommand: Hashable, Sendable {
    /// What it does once it has given up what it must not have.
    package enum Action: Hashable, Sendable {
        /// Runs the program.
        case run(String)
        /// Runs the program as soon as whoever started it says so, by one byte: a debugger is attached by then.
        case stop(String)
        /// Ends: all of it took.
        case probe
    }

    /// Beneath these, files and folders may be read.
    package var readable: [String] = []
    /// Beneath these, files may be read, written, made and removed.
    package var writable: [String] = []
    /// Devices that may be used.
    package var devices: [String] = []
    /// Beneath these, programs may be run.
    package var runnable: [String] = []
    /// Whether sockets of the internet may be made.
    package var usesNetwork = false
    /// Whether the program keeps secrets and stands alone (``Enclosure/isKeeper``): no sockets but those it is handed,
    /// no process but its own, and nothing done to files by their paths that no version of Landlock forbids.
    package var isKeeper = false
    /// Whether it must end when the kernel has no Landlock.
    package var needsLandlock = true
    /// How much the program may take.
    package var limits: ResourceLimits
    /// What it does then.
    package var action: Action
    /// What the program is told.
    package var programArguments: [String] = []
    /// The descriptor on which it says that all of it took, or why not; nil for standard error.
    package var report: Int32?

    /// Nothing may be reached yet.
    package init(limits: ResourceLimits, action: Action, report: Int32? = nil) {
        self.limits = limits
        self.action = action
        self.report = report
    }

    /// What follows the program's name.
    package var arguments: [String] {
        var result: [String] = []
        for (option, paths) in [
            ("--read", readable), ("--write", writable), ("--device", devices), ("--run", runnable),
        ] {
            for path in paths { result += [option, path] }
        }
        if usesNetwork { result.append("--network") }
        if isKeeper { result.append("--keeper") }
        if !needsLandlock { result.append("--without-landlock") }
        result += ["--memory", "\(limits.memory)", "--file", "\(limits.fileBytes)"]
        result += ["--descriptors", "\(limits.descriptors)"]
        if let processes = limits.processes { result += ["--processes", "\(processes)"] }
        if let seconds = limits.seconds { result += ["--seconds", "\(seconds)"] }
        if let report { result += ["--report", "\(report)"] }
        switch action {
        case .run(let path): result += ["--", path]
        case .stop(let path): result += ["--stopped", "--", path]
        case .probe: result.append("--probe")
        }
        return result + programArguments
    }

    /// Reads the arguments; nil when they are not as ``arguments`` writes them.
    package init?(arguments: [String]) {
        self.init(limits: .ofExtension, action: .probe)
        (limits.seconds, limits.processes) = (nil, nil)
        var rest = arguments[...]
        var (isStopped, isProbe) = (false, false)
        var program: String?
        while let option = rest.popFirst(), program == nil {
            switch option {
            case "--network": usesNetwork = true
            case "--keeper": isKeeper = true
            case "--without-landlock": needsLandlock = false
            case "--stopped": isStopped = true
            case "--probe": isProbe = true
            case "--":
                guard let path = rest.popFirst() else { return nil }
                (program, programArguments, rest) = (path, Array(rest), [])
            default:
                guard let value = rest.popFirst(), take(option, value) else { return nil }
            }
        }
        switch (program, isProbe) {
        case (let path?, false) where path.hasPrefix("/"): action = isStopped ? .stop(path) : .run(path)
        case (nil, true) where !isStopped: action = .probe
        default: return nil
        }
    }

    private mutating func take(_ option: String, _ value: String) -> Bool {
        switch option {
        case "--read": readable.append(value)
        case "--write": writable.append(value)
        case "--device": devices.append(value)
        case "--run": runnable.append(value)
        case "--report":
            guard let number = Int32(value), number > 3 else { return false }
            report = number
        default:
            guard let number = UInt64(value) else { return false }
            switch option {
            case "--memory": limits.memory = number
            case "--file": limits.fileBytes = number
            case "--processes": limits.processes = number
            case "--descriptors": limits.descriptors = number
            case "--seconds": limits.seconds = number
            default: return false
            }
        }
        return true
    }
}
