import Glibc
import Testing

@testable import KeywaySystem

@Suite struct InstallationTests {
    @Test(
        arguments: [
            ("/usr/libexec/keyway/keywayd", "/usr"), ("/opt/keyway/bin/keyway", "/opt/keyway"),
            ("/usr/bin/other", nil), ("/usr/share/keyway/providers/Passwords.appex/keyway-vaultd", nil), (nil, nil),
        ] as [(String?, String?)])
    func isFoundByThePlaceOfAProgram(program: String?, prefix: String?) {
        #expect(Installation(program: program)?.prefix == prefix)
    }

    @Test func isNotForEverybodyWithoutAGroup() {
        #expect(Installation(program: "/usr/libexec/keyway/keywayd")?.namesGroup == false)
        #expect(Installation(program: "/usr/libexec/keyway/keywayd")?.isSystemWide == false)
    }
}

@Suite struct SystemEnvironmentTests {
    private let installation = Installation(prefix: "/opt/keyway", isSystemWide: true)

    /// A parent of runtime folders, with the one of this user in it.
    private func runtimes(mode: mode_t) throws -> (parent: String, own: String) {
        let parent = "/tmp/keyway-runtimes-\(UInt64.random(in: 0 ... .max))"
        let own = "\(parent)/\(geteuid())"
        try #require(mkdir(parent, 0o700) == 0 && mkdir(own, mode) == 0)
        return (parent, own)
    }

    private func variables(_ environment: [String: String], in parent: String = "/nowhere") -> [String: String] {
        SystemEnvironment(user: geteuid(), home: "/home/ada", name: "ada", runtimeParent: parent)
            .variables(environment, of: installation)
    }

    @Test(arguments: [
        "HOME", "PATH", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR",
        "XDG_DATA_DIRS", "XDG_CONFIG_DIRS", "DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS", "KEYWAY_TPM2",
        "KEYWAY_RELATED_ORIGINS", "USER", "LOGNAME", "LD_PRELOAD", "GTK_MODULES", "GIO_EXTRA_MODULES", "SSL_CERT_FILE",
        "https_proxy", "TSS2_LOG", "SHELL",
    ])
    func whatDecidesIsNotTakenFromTheStarter(name: String) {
        #expect(variables([name: "/tmp/other"]) == variables([:]))
    }

    @Test func homeAndProgramsAreThoseOfPasswdAndTheInstallation() {
        #expect(
            variables([:]) == [
                "HOME": "/home/ada", "USER": "ada", "LOGNAME": "ada",
                "PATH": "/opt/keyway/bin:/usr/local/bin:/usr/bin:/bin",
                "XDG_DATA_DIRS": "/opt/keyway/share:/usr/local/share:/usr/share",
            ])
    }

    @Test(arguments: ["LANG", "LC_TIME", "TERM", "LISTEN_FDS", "PASSWORD_STORE_DIR"])
    func whatDecidesNothingIsTaken(name: String) {
        #expect(variables([name: "x"])[name] == "x")
    }

    @Test func theRuntimeFolderIsTheOneThatIsThere() throws {
        let (parent, own) = try runtimes(mode: 0o700)
        defer { rmdir(own); rmdir(parent) }
        #expect(variables(["XDG_RUNTIME_DIR": "/tmp"], in: parent)["XDG_RUNTIME_DIR"] == own)
        #expect(variables([:], in: parent)["DBUS_SESSION_BUS_ADDRESS"] == nil)
        let bus = try LocalSocket.listen(at: own + "/bus")
        defer { unlink(own + "/bus") }
        #expect(variables([:], in: parent)["DBUS_SESSION_BUS_ADDRESS"] == "unix:path=\(own)/bus")
        withExtendedLifetime(bus) {}
    }

    @Test func aRuntimeFolderThatIsOpenToOthersIsNone() throws {
        let (parent, own) = try runtimes(mode: 0o700)
        defer { rmdir(own); rmdir(parent) }
        try #require(chmod(own, 0o750) == 0)
        #expect(variables([:], in: parent)["XDG_RUNTIME_DIR"] == nil)
    }

    @Test func withoutAnEntryInPasswdThereIsNoHome() {
        let nobody = SystemEnvironment(user: 4_000_000, home: nil, name: nil)
        #expect(throws: ProtocolError(.system, "")) {
            try KeywayPaths(environment: nobody.variables(["HOME": "/tmp"], of: installation))
        }
    }
}
