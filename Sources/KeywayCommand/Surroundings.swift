package import AutoFillWire
import Glibc
package import KeywayCrypto
package import KeywaySystem
package import TerminalInterface

/// What a command reaches of the world, as seams: a test puts others there.
package struct Surroundings: Sendable {
    /// The environment.
    package var environment: [String: String]
    /// Where data goes.
    package var output: any ByteSink
    /// Where messages go.
    package var messages: any ByteSink
    /// Where secrets come from when not from a terminal; nil where standard input is one.
    package var secretLines: (any SecretLines)?
    /// The link for one-time codes that stood among the arguments; nil where none did.
    package var handedLink: SecretBytes?
    /// Opens the terminal of the person.
    package var openTerminal: @Sendable () throws(TerminalError) -> any TerminalDevice
    /// How connecting to the broker fails.
    package typealias ConnectionFailure = ProtocolError
    /// Connects to the broker, answering these methods; starts it when that is wanted.
    package var connect:
        @Sendable (_ methods: MethodTable, _ starts: Bool) async throws(ConnectionFailure) -> Connection
    /// The files that `doctor` looks at.
    package var machine: any Machine
    /// Whether this program is in the background of its terminal.
    package var isInBackground: @Sendable () -> Bool = { SystemTerminal.isInBackground }
    /// Reads an export in a sandbox.
    package var readExport: ReadingExport = { request in
        try await ExportReader(program: KeywayPaths.ownProgram() ?? "").read(request)
    }
    /// How an export is read.
    package typealias ReadingExport = @Sendable (ExportReader.Request) async throws -> ExportReader.Outcome
    /// Writes an export in another program's format, in a sandbox.
    package var writeExport: WritingExport = { request in
        try await ExportWriterProgram(program: KeywayPaths.ownProgram() ?? "").run(request)
    }
    /// How an export is written.
    package typealias WritingExport =
        @Sendable (ExportWriterProgram.Request) async throws ->
        ExportWriterProgram.Outcome
    /// The time.
    package var clock: any TimeSource = SystemTimeSource()
    /// Reads what a browser has stored in a profile, in a sandbox, with what opens it.
    package var readProfile: ReadingProfile = { profile, folder, secret in
        try await ProfileReader(program: KeywayPaths.ownProgram() ?? "").read(profile, folder, secret: secret)
    }
    /// How a profile is read.
    package typealias ReadingProfile =
        @Sendable (BrowserProfile, OwnedDescriptor, SecretBytes?) async throws -> ExportReader.Outcome
    /// Counts what a browser has stored in a profile; nil where that couldn't be found out.
    package var countStored: @Sendable (BrowserProfile) async -> Int? = { profile in
        await ProfileReader(program: KeywayPaths.ownProgram() ?? "").count(profile)
    }
    /// The keys that browsers have in the login keyring, a line each.
    package var keyringKeys: KeyringKeys = { profile, environment in
        try await ProfileReader(program: KeywayPaths.ownProgram() ?? "").keyringKeys(
            of: profile, environment: environment)
    }
    /// How the keys of browsers are asked for.
    package typealias KeyringKeys = @Sendable (BrowserProfile, [String: String]) async throws -> SecretBytes?
    /// Has gpg decrypt a folder of `pass`.
    package var readPass: DecryptingFolder = { folder, path, environment in
        try await PassReader(program: KeywayPaths.ownProgram() ?? "").read(folder, path: path, environment: environment)
    }
    /// How a folder is decrypted.
    package typealias DecryptingFolder =
        @Sendable (OwnedDescriptor, _ path: String, _ environment: [String: String]) async throws -> OwnedDescriptor
    /// Runs another program of Keyway in the place of this one; returns only in tests.
    package var takePlace: @Sendable (_ path: String, _ words: [String]) throws(CommandError) -> Void

    /// Copies a secret on the person's display, for so many seconds.
    package var copyOnDesktop: @Sendable (SecretBytes, _ seconds: Int) async throws -> DesktopCopy

    /// Surroundings by their parts.
    package init(
        environment: [String: String], output: any ByteSink, messages: any ByteSink,
        secretLines: (any SecretLines)?, machine: any Machine,
        openTerminal: @escaping @Sendable () throws(TerminalError) -> any TerminalDevice,
        connect: @escaping @Sendable (MethodTable, Bool) async throws(ConnectionFailure) -> Connection,
        takePlace: @escaping @Sendable (String, [String]) throws(CommandError) -> Void = ProgramReplacement.take
    ) {
        self.environment = environment
        self.output = output
        self.messages = messages
        self.secretLines = secretLines
        self.machine = machine
        self.takePlace = takePlace
        let clipboard = DesktopClipboard(program: machine.program ?? "/usr/bin/keyway")
        copyOnDesktop = { secret, seconds in try await clipboard.copy(secret, seconds: seconds, environment) }
        self.openTerminal = openTerminal
        self.connect = connect
    }

    /// Whether there is a display to draw on, if only by name.
    var hasDisplay: Bool {
        ["WAYLAND_DISPLAY", "DISPLAY"].contains { environment[$0]?.isEmpty == false }
    }

    /// What the terminal can show.
    var appearance: Appearance { Appearance(environment: environment) }
}

/// Secrets that come a line each.
package protocol SecretLines: Sendable {
    /// The next line without its end; nil when there is none.
    func next() -> SecretBytes?
}
