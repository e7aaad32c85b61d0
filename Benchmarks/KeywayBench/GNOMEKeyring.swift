import Benchmarking
import Glibc
import KeywaySystem

/// GNOME's keyring on a bus of its own: its daemon, and libsecret's program that stores into it.
///
/// Its keyring is a plain one: storing into it one by one, to fill it, would take hours at 10,000 items, and only the
/// plain format can be written beforehand. It is spared its encryption by that.
struct GNOMEKeyring {
    private static let needed = ["/usr/bin/dbus-daemon", "/usr/bin/gnome-keyring-daemon", "/usr/bin/secret-tool"]

    private let folder: String
    private var environment: [String: String]

    /// Stores new secrets beside as many as the fixture holds; nil, and said so, where it is not installed.
    static func measure(_ fixture: Fixture, runs: Int) throws -> BenchmarkRow.Peer? {
        if let missing = needed.first(where: { access($0, X_OK) != 0 }) {
            complain("\(missing) is not installed: the peer's figures are null")
            return nil
        }
        return try GNOMEKeyring(fixture).measure(fixture.items, runs: runs)
    }

    private init(_ fixture: Fixture) throws {
        folder = "\(fixture.session.folder)/keyring"
        environment = fixture.session.environment
        for (variable, name) in [("HOME", ""), ("XDG_RUNTIME_DIR", "/run"), ("XDG_DATA_HOME", "/data")] {
            mkdir(folder + name, 0o700)
            environment[variable] = folder + name
        }
        environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=\(folder)/bus"
        mkdir("\(folder)/data/keyrings", 0o700)
        try writeFile("\(folder)/data/keyrings/bench.keyring", Self.keyring(fixture.items))
        try writeFile("\(folder)/data/keyrings/default", "bench")
        // A bus that starts no services: nothing may come between.
        try writeFile(
            "\(folder)/bus.conf",
            "<busconfig><type>session</type><listen>unix:path=\(folder)/bus</listen><policy context=\"default\">"
                + "<allow send_destination=\"*\" eavesdrop=\"true\"/><allow eavesdrop=\"true\"/><allow own=\"*\"/></policy></busconfig>"
        )
    }

    private func measure(_ items: SampleItems, runs: Int) throws -> BenchmarkRow.Peer {
        let bus = try Program(Self.needed[0], environment: environment).start(
            ["--nofork", "--nopidfile", "--config-file=\(folder)/bus.conf"])
        defer { bus.end() }
        guard waitUntil(seconds: 10, { access("\(folder)/bus", F_OK) == 0 }) else {
            throw BenchmarkFailure("dbus-daemon does not listen")
        }
        let daemon = try Program(Self.needed[1], environment: environment).start(
            ["--unlock", "--components=secrets", "--foreground"])
        daemon.write(Array("master".utf8))
        daemon.closeInput()
        let process = daemon.processIdentifier
        defer { daemon.end() }
        let tool = Program(Self.needed[2], environment: environment)
        try waitForKeyring(tool, items)
        var number = 0
        let samples = try Timing.programs(runs) {
            number += 1
            return try tool.run(
                ["store", "--label=Added \(number)", "service", "added\(number).example", "user", "added"],
                input: Array("added-\(number)-abcdefghij".utf8))
        }
        return .init(
            name: "gnome-keyring (secret-tool)", median: samples.median, peakMiB: ProcessMemory.peakMiB(of: process))
    }

    private func waitForKeyring(_ tool: Program, _ items: SampleItems) throws {
        let last = items.count - 1
        let expected = Array(items.password(last).utf8)
        let isThere = waitUntil(seconds: 60) {
            (try? tool.run(["lookup", "user", items.user(last)]))?.output == expected
        }
        guard isThere else { throw BenchmarkFailure("gnome-keyring-daemon does not find what is in its keyring") }
    }

    private static func keyring(_ items: SampleItems) -> String {
        var text = "[keyring]\ndisplay-name=bench\nctime=0\nmtime=0\nlock-on-idle=false\nlock-after=false\n"
        for index in 0..<items.count {
            text += "\n[\(index + 1)]\nitem-type=0\ndisplay-name=\(items.title(index))\n"
            text += "secret=\(items.password(index))\nmtime=0\nctime=0\n"
            for (number, attribute) in [("service", items.address(index)), ("user", items.user(index))].enumerated() {
                text += "\n[\(index + 1):attribute\(number)]\nname=\(attribute.0)\ntype=string\nvalue=\(attribute.1)\n"
            }
        }
        return text
    }
}

/// Writes a whole file.
func writeFile(_ path: String, _ text: String) throws {
    guard let file = fopen(path, "w") else { throw ProtocolError.system("fopen \(path)", errno) }
    fputs(text, file)
    fclose(file)
}
