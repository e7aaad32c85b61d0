import AutoFillProtocol
import AutoFillWire
import Benchmarking
import Glibc
import KeywaySystem

/// A session with a provider that only has identities: this program writes its store, as the app of a provider does.
final class IdentityFixture: Sendable {
    static let provider = "org.keyway.bench"

    let session: Session
    let items: SampleItems
    /// How long it took until the store held everything, from the first part on.
    let loading: Duration
    /// The most memory that the broker had by then, in MiB.
    let loadingPeak: Double

    /// Fills the store; afterwards nothing runs.
    init(_ items: SampleItems, in session: Session) async throws {
        self.items = items
        self.session = session
        do {
            try Self.install(in: session)
            let app = try await Self.turnOn(in: session)
            let started = MonotonicTime.now
            try await Self.replace(by: items, through: app)
            loading = MonotonicTime.now.since(started)
            loadingPeak = session.peakMiB
            app.close()
            try session.stopBroker()
        } catch {
            session.close()
            throw error
        }
    }

    /// A conversation as the provider's app.
    func connectAsApp() async throws -> Connection { try await session.connect(as: .application) }

    /// One identity.
    static func identity(_ items: SampleItems, _ index: Int) -> CredentialIdentity {
        CredentialIdentity(
            kind: .password, service: ServiceIdentifier(items.address(index), kind: .url), user: items.user(index),
            recordIdentifier: "record-\(SampleItems.number(index))")
    }

    // MARK: - The provider

    /// Writes a bundle whose app is this program.
    static func install(in session: Session) throws {
        let own = try program()
        let bundle = "\(session.folder)/data/keyway/providers/Bench.appex"
        for folder in ["data/keyway", "data/keyway/providers", "data/keyway/providers/Bench.appex"] {
            mkdir("\(session.folder)/\(folder)", 0o700)
        }
        try write("#!/bin/sh\n", to: "\(bundle)/extension", mode: 0o755)
        try write(list(provider, "Bench", app: own), to: "\(bundle)/Info.plist", mode: 0o644)
    }

    private static func faultyFolder(_ session: Session, _ name: String) -> String {
        "\(session.folder)/data/keyway/providers/\(name).appex"
    }

    /// Installs bundles that are never started: one whose program is missing, one without a list, and one that has the
    /// identifier of another.
    static func installFaulty(in session: Session) throws {
        let own = try program()
        for name in ["Faulty", "Empty", "Twin"] { mkdir(faultyFolder(session, name), 0o700) }
        for (name, identifier) in [("Faulty", "org.keyway.faulty"), ("Twin", provider)] {
            try write(list(identifier, name, app: own), to: "\(faultyFolder(session, name))/Info.plist", mode: 0o644)
        }
        try write("#!/bin/sh\n", to: "\(faultyFolder(session, "Twin"))/extension", mode: 0o755)
    }

    /// Removes them.
    static func removeFaulty(in session: Session) {
        for name in ["Faulty", "Empty", "Twin"] {
            for file in ["Info.plist", "extension"] { unlink("\(faultyFolder(session, name))/\(file)") }
            rmdir(faultyFolder(session, name))
        }
    }

    private static func list(_ identifier: String, _ name: String, app: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
        <key>CFBundleIdentifier</key><string>\(identifier)</string>
        <key>CFBundleName</key><string>\(name)</string>
        <key>CFBundleExecutable</key><string>extension</string>
        <key>KeywayApplications</key><array><string>\(app)</string></array>
        <key>NSExtension</key><dict><key>NSExtensionPointIdentifier</key>
        <string>com.apple.authentication-services-credential-provider-ui</string></dict>
        </dict></plist>
        """
    }

    /// Turns the provider on, and lets this program act for it.
    static func turnOn(in session: Session) async throws -> Connection {
        let broker = try await session.connect(as: .terminal)
        _ = try await broker.call(SetProviderEnabled.self, .init(identifier: provider, isEnabled: true))
        _ = try await broker.call(
            ApproveApplication.self, .init(identifier: provider, path: program(), isApproved: true))
        broker.close()
        return try await session.connect(as: .application)
    }

    /// Replaces everything, in parts.
    static func replace(by items: SampleItems, through app: Connection) async throws {
        var write: Int?
        let part = WriteIdentities.Parameters.maximumPart
        for start in stride(from: 0, to: items.count, by: part) {
            let end = min(start + part, items.count)
            write = try await app.call(
                WriteIdentities.self,
                .init(
                    operation: .replace, identities: (start..<end).map { identity(items, $0) }, write: write,
                    isLast: end == items.count)
            ).write
        }
    }

    private static func program() throws -> String {
        guard let path = KeywayPaths.ownProgram() else { throw BenchmarkFailure("this program has no path") }
        return path
    }

    private static func write(_ text: String, to path: String, mode: mode_t) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        guard file >= 0 else { throw ProtocolError.system("open \(path)", errno) }
        defer { close(file) }
        let bytes = Array(text.utf8)
        guard Glibc.write(file, bytes, bytes.count) == bytes.count else {
            throw ProtocolError.system("write \(path)", errno)
        }
    }
}
