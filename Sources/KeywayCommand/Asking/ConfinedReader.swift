import Confinement
import Glibc
import KeywaySystem

/// A program of ours that reads one file of the person's, which may be from anybody: in a sandbox where there is nothing but
/// that file.
struct ConfinedReader: Sendable {
    private let reader: String
    private let confine: String
    private let limits: ResourceLimits

    /// The program `name` that lies beside `program`, or where that is installed.
    init(_ name: String, beside program: String, limits: ResourceLimits) {
        let files = InstalledFiles(program: program)
        let folder = FilePath.folder(of: files.broker)
        reader = "\(folder)/\(name)"
        confine = "\(folder)/keyway-confine"
        self.limits = limits
    }

    /// Starts it.
    ///
    /// - Parameters:
    ///   - file: what becomes its descriptor 4.
    ///   - channel: what becomes its descriptor 3.
    ///   - input: what becomes its standard input; nil for an empty one.
    ///   - output: what becomes its standard output; nil for nowhere.
    ///   - arguments: what it is told; nothing secret.
    ///   - environment: its variables; none of the person's.
    ///   - paths: files, by their paths without links, that it may read besides.
    /// - Throws: ``CommandError``: `failure` where a program is missing; ``ProtocolError``.
    func start(
        _ file: OwnedDescriptor, channel: OwnedDescriptor, input: OwnedDescriptor? = nil,
        output: OwnedDescriptor? = nil, arguments: [String] = [], environment: [String: String] = [:],
        reading paths: [String] = []
    ) throws -> ChildProcess {
        for program in [reader, confine] where access(program, X_OK) != 0 {
            throw CommandError(.failure, Strings.programMissing(program), hint: Strings.reinstall)
        }
        var enclosure = Enclosure(limits: limits)
        enclosure.isKeeper = true
        enclosure.places[Enclosure.Place(source: reader, path: reader)] = .run
        for path in paths { enclosure.places[Enclosure.Place(source: path, path: path)] = .read }
        let maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC)
        let text = maps < 0 ? [] : (try? FileContents.read(OwnedDescriptor(maps), limit: 1 << 20)) ?? []
        let layout = SystemLayout(
            libraryFolders: SystemLayout.libraryFolders(maps: String(decoding: text, as: UTF8.self)), accounts: nil)
        var confined = BareConfinement(layout: layout).command(
            enclosure, .run(reader), needsLandlock: false, report: nil)
        confined.programArguments = arguments
        let output = output ?? OwnedDescriptor(open("/dev/null", O_WRONLY | O_CLOEXEC))
        let (path, command) = (confine, confined)
        // It ends with the thread that starts it.
        return try LastingThread.starting.run { () throws(ProtocolError) in
            try ChildProcess(
                path: path, arguments: command.arguments, environment: environment, channel: channel, report: file,
                output: output, input: input)
        }
    }
}
