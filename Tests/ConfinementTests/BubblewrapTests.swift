import Confinement
import Testing

@Suite("What bubblewrap is told")
struct BubblewrapTests {
    private static let layout = SystemLayout(
        libraryFolders: ["/opt/runtime"], accounts: .init(users: "/run/own/passwd", groups: "/run/own/group"))
    private static let bubblewrap = Bubblewrap(layout: layout, confine: "/libexec/keyway-confine")

    private static func arguments(_ change: (inout Enclosure) -> Void) -> [String] {
        var enclosure = Enclosure(limits: .ofExtension)
        enclosure.privateFolders = ["/home/ada"]
        change(&enclosure)
        let command = bubblewrap.command(enclosure, .run("/bundle/extension"), report: 4)
        return bubblewrap.arguments(enclosure, command)
    }

    private static func contains(_ arguments: [String], _ part: String...) -> Bool {
        arguments.indices.contains { arguments[$0...].starts(with: part) }
    }

    @Test("all namespaces are new, and it ends with whoever started it")
    func namespaces() {
        let arguments = Self.arguments { _ in }
        for option in [
            "--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-net", "--die-with-parent",
        ] {
            #expect(arguments.contains(option))
        }
        #expect(Self.contains(arguments, "--cap-drop", "ALL"))
        #expect(Self.contains(arguments, "--remount-ro", "/"))
    }

    @Test("the network is shared only where it is used")
    func network() {
        #expect(!Self.arguments { $0.usesNetwork = true }.contains("--unshare-net"))
        #expect(Self.arguments { $0.usesNetwork = true }.contains("/etc/resolv.conf"))
        #expect(!Self.arguments { _ in }.contains("/etc/resolv.conf"))
    }

    @Test("places are there as they may be used, the outer ones first, and after the empty folders")
    func places() throws {
        let arguments = Self.arguments { enclosure in
            enclosure.places[.init(source: "/home/ada/a/b", path: "/home/ada/a/b")] = .read
            enclosure.places[.init(source: "/elsewhere", path: "/home/ada/a")] = .write
        }
        #expect(Self.contains(arguments, "--bind", "/elsewhere", "/home/ada/a", "--ro-bind", "/home/ada/a/b"))
        let empty = try #require(arguments.firstIndex(of: "/home/ada"))
        let place = try #require(arguments.firstIndex(of: "/elsewhere"))
        #expect(empty < place)
    }

    @Test("what is hidden is empty, after all places")
    func hidden() throws {
        let arguments = Self.arguments { enclosure in
            enclosure.places[.init(source: "/keys", path: "/keys")] = .read
            enclosure.hidden = ["/keys/private"]
        }
        #expect(Self.contains(arguments, "--tmpfs", "/keys/private"))
        let place = try #require(arguments.firstIndex(of: "/keys"))
        let hidden = try #require(arguments.firstIndex(of: "/keys/private"))
        #expect(place < hidden)
    }

    @Test("folders of programs are empty and closed, but for what is declared")
    func programs() throws {
        let arguments = Self.arguments { enclosure in
            enclosure.programs = ["/usr/bin/env"]
            enclosure.places[.init(source: "/usr/bin/test", path: "/usr/bin/test")] = .read
        }
        let steps = [
            ["--ro-bind-try", "/usr", "/usr"], ["--perms", "0755", "--tmpfs", "/usr/bin"],
            ["--ro-bind-try", "/usr/bin/env", "/usr/bin/env"], ["--ro-bind", "/usr/bin/test", "/usr/bin/test"],
            ["--remount-ro", "/usr/bin"],
        ]
        let places = try steps.map { step in
            try #require(arguments.indices.first { arguments[$0...].starts(with: step) }, "\(step)")
        }
        #expect(places == places.sorted())
        let end = try #require(arguments.lastIndex(of: Bubblewrap.confine))
        let command = try #require(ConfineCommand(arguments: Array(arguments[(end + 1)...])))
        #expect(!command.readable.contains("/usr") && !command.readable.contains("/usr/bin"))
        #expect(!command.readable.contains("/bin"))
    }

    @Test("inside, keyway-confine runs the program and is told the same")
    func confine() throws {
        let arguments = Self.arguments { enclosure in
            enclosure.places[.init(source: "/elsewhere", path: "/home/ada/a")] = .write
            enclosure.programs = ["/usr/bin/gpg"]
        }
        let end = try #require(arguments.lastIndex(of: Bubblewrap.confine))
        let command = try #require(ConfineCommand(arguments: Array(arguments[(end + 1)...])))
        #expect(command.action == .run("/bundle/extension"))
        #expect(command.writable.contains("/home/ada/a") && !command.writable.contains("/elsewhere"))
        #expect(command.runnable.contains("/usr/bin/gpg") && !command.runnable.contains("/usr"))
        #expect(command.limits == .ofExtension)
        #expect(command.needsLandlock)
    }

    @Test("without it, nothing of the home folder may be written")
    func bare() {
        var enclosure = Enclosure(limits: .ofService)
        enclosure.privateFolders = ["/home/ada"]
        enclosure.places[.init(source: "/elsewhere", path: "/home/ada/a")] = .write
        let command = BareConfinement(layout: Self.layout).command(
            enclosure, .probe, needsLandlock: true, report: nil)
        #expect(command.writable == ["/elsewhere"])
        #expect(!command.readable.contains("/etc"))
        #expect(!command.readable.contains { ["/usr", "/usr/bin", "/bin"].contains($0) })
        #expect(command.limits.processes == nil, "outside of a namespace, all of the person's would count")
    }

    @Test("without it, the terminals are the person's, and none of them is reached")
    func terminals() {
        let bare = BareConfinement(layout: Self.layout).command(
            Enclosure(limits: .ofService), .probe, needsLandlock: true, report: nil)
        #expect(bare.devices.contains("/dev/null"))
        #expect(!bare.devices.contains { $0.hasPrefix("/dev/tty") || $0.hasPrefix("/dev/pt") })
    }

    @Test("a keeper of secrets is told to be one", arguments: [true, false])
    func keeper(isKeeper: Bool) {
        var enclosure = Enclosure(limits: .ofService)
        enclosure.isKeeper = isKeeper
        let command = BareConfinement(layout: Self.layout).command(
            enclosure, .probe, needsLandlock: true, report: nil)
        #expect(command.isKeeper == isKeeper)
    }

    @Test(
        "a program that is no program, or not root's alone, is not run", arguments: ["/dev/null", "/nowhere", "/tmp"])
    func problem(path: String) {
        #expect(Bubblewrap.problem(at: path) != nil)
    }

    @Test("libraries of the runtime are found where they were loaded from, but those of the system")
    func libraries() {
        let maps = """
            7f00-7f01 r-xp 00000000 08:01 1 /opt/swift/usr/lib/swift/linux/libswiftCore.so
            7f01-7f02 r-xp 00000000 08:01 1 /opt/swift/usr/lib/swift/linux/libswift_Concurrency.so
            7f02-7f03 r-xp 00000000 08:01 1 /usr/lib/swift/libswiftGlibc.so
            7f03-7f04 r-xp 00000000 08:01 1 /opt/other/libc.so.6
            7f04-7f05 rw-p 00000000 00:00 0
            7f05-7f06 r-xp 00000000 08:01 1 /usr/libexec/swift/lib/libswiftObservation.so
            """
        // Where programs lie, the system's are out of sight, too.
        #expect(
            SystemLayout.libraryFolders(maps: maps) == ["/opt/swift/usr/lib/swift/linux", "/usr/libexec/swift/lib"])
    }
}
