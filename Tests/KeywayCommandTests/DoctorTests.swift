import AutoFillProtocol
import Glibc
import KeywaySystem
import Synchronization
import Testing

@testable import KeywayCommand

/// A machine of files in memory.
final class FakeMachine: Machine {
    struct Entry {
        var facts: FileFacts
        var text = ""
    }

    private let entries: Mutex<[String: Entry]>
    let home = "/home/ada"
    let user: UInt32 = 1000
    let limits: ProcessLimits
    let program: String? = "/usr/bin/keyway"

    init(_ entries: [String: Entry] = [:], limits: ProcessLimits = ProcessLimits(coreDump: 0, lockedMemory: 8 << 20)) {
        self.entries = Mutex(entries)
        self.limits = limits
    }

    static func folder(_ mode: UInt32 = 0o700, owner: UInt32 = 1000) -> Entry {
        Entry(facts: FileFacts(kind: .folder, mode: mode, owner: owner))
    }

    static func file(_ text: String = "", mode: UInt32 = 0o644) -> Entry {
        Entry(facts: FileFacts(kind: .file, mode: mode, owner: 1000), text: text)
    }

    func text(_ path: String) -> String? { entries.withLock { $0[path]?.text } }
    func facts(_ path: String) -> FileFacts? { entries.withLock { $0[path]?.facts } }
    func read(_ path: String, limit: Int) -> [UInt8]? {
        entries.withLock { $0[path]?.facts.kind == .file ? $0[path].map { Array($0.text.utf8.prefix(limit)) } : nil }
    }
    func names(in folder: String) -> [String] {
        entries.withLock { entries in
            Set(
                entries.keys.filter { $0.hasPrefix(folder + "/") }.compactMap {
                    $0.dropFirst(folder.count + 1).split(separator: "/").first.map(String.init)
                }
            ).sorted()
        }
    }
    func isExecutable(_ path: String) -> Bool {
        entries.withLock { ($0[path]?.facts.mode ?? 0) & 0o111 != 0 && $0[path]?.facts.kind == .file }
    }
    /// What is not listed can be written to, down from the root; what is listed, by its owner and its mode.
    func isWritableFolder(_ path: String) -> Bool {
        guard let facts = facts(path) else { return path == "/" }
        return facts.kind == .folder && facts.owner == user && facts.mode & 0o200 != 0
    }
    func makeFolder(_ path: String) throws(CommandError) {
        if path.hasPrefix("/read-only") { throw CommandError(.failure, "mkdir \(path): Read-only file system") }
        entries.withLock { $0[path] = Self.folder() }
    }
    func setMode(_ path: String, _ mode: UInt32) {
        entries.withLock { entries in
            guard let facts = entries[path]?.facts else { return }
            entries[path]?.facts = FileFacts(kind: facts.kind, mode: mode, owner: facts.owner)
        }
    }
    func replace(_ path: String, with text: String, mode: UInt32) {
        entries.withLock { $0[path] = Self.file(text, mode: mode) }
    }
}

struct FolderCheckTests {
    private func check(_ name: String, _ entries: [String: FakeMachine.Entry], fixes: Bool = false) throws -> (
        Check, FakeMachine
    ) {
        let machine = FakeMachine(entries)
        let paths = try KeywayPaths(environment: ["HOME": "/home/ada", "XDG_RUNTIME_DIR": "/run/user/1000"])
        let checks = FolderChecks(machine: machine, paths: paths, fixes: fixes).run()
        return (try #require(checks.first { $0.name == name }), machine)
    }

    @Test(arguments: [
        (FakeMachine.folder(), Check.Status.ok), (FakeMachine.folder(0o755), .failed),
        (FakeMachine.folder(0o770), .failed),
        (FakeMachine.folder(0o700, owner: 0), .failed), (FakeMachine.file(), .failed),
    ])
    func foldersMustBeOursAlone(entry: FakeMachine.Entry, status: Check.Status) throws {
        #expect(try check("folder:runtime", ["/run/user/1000/keyway": entry]).0.status == status)
    }

    @Test func whatIsMissingIsMadeByTheFix() throws {
        #expect(try check("folder:data", [:]).0.status == .ok)
        let (check, machine) = try check("folder:data", [:], fixes: true)
        #expect(check.status == .fixed)
        #expect(machine.facts("/home/ada/.local/share/keyway")?.mode == 0o700)
    }

    @Test(arguments: [
        (FakeMachine.folder(0o500), Check.Status.failed), (FakeMachine.folder(0o755, owner: 0), .failed),
        (FakeMachine.file(), .failed), (FakeMachine.folder(0o755), .ok),
    ])
    func aFolderThatCannotBeMadeIsSaidBeforeItIsNeeded(above: FakeMachine.Entry, status: Check.Status) throws {
        let found = try check("folder:data", ["/home/ada/.local": above]).0
        #expect(found.status == status)
        #expect(found.detail.contains("/home/ada/.local isn't writable") == (status == .failed))
        #expect(
            try check("folder:data", ["/home/ada/.local": above], fixes: true).0.status
                == (status == .ok ? .fixed : .failed))
    }

    @Test func openFoldersAreClosedByTheFix() throws {
        let path = "/home/ada/.local/state/keyway"
        let (check, machine) = try check("folder:state", [path: FakeMachine.folder(0o755)], fixes: true)
        #expect(check.status == .fixed)
        #expect(machine.facts(path)?.mode == 0o700)
    }

    @Test func whatBelongsToOthersIsNotTouched() throws {
        let path = "/home/ada/.local/state/keyway"
        let (check, machine) = try check("folder:state", [path: FakeMachine.folder(0o755, owner: 0)], fixes: true)
        #expect(check.status == .failed)
        #expect(machine.facts(path)?.mode == 0o755)
    }

    @Test(arguments: [("backups", "identities"), ("backups:history", "history")])
    func whatNoBackupShouldHoldIsMarkedSo(name: String, folder: String) throws {
        let path = "/home/ada/.local/state/keyway/\(folder)"
        #expect(try check(name, [path: FakeMachine.folder()]).0.status == .warning)
        let tagged = [path: FakeMachine.folder(), path + "/CACHEDIR.TAG": FakeMachine.file()]
        #expect(try check(name, tagged).0.status == .ok)
    }

    @Test func withoutARuntimeFolderItWarns() throws {
        let paths = try KeywayPaths(environment: ["HOME": "/home/ada"])
        let checks = FolderChecks(machine: FakeMachine(), paths: paths, fixes: false).run()
        #expect(checks.first { $0.name == "session:runtime" }?.status == .warning)
    }
}

struct BrowserCheckTests {
    static let host = "/usr/libexec/keyway/keyway-browser-host"
    private let installation = InstalledFiles(program: "/usr/bin/keyway")
    private let base = [host: FakeMachine.file(mode: 0o755)]

    private func checks(_ entries: [String: FakeMachine.Entry], fixes: Bool = false) -> ([String: Check], FakeMachine) {
        let machine = FakeMachine(base.merging(entries) { $1 })
        let checks = BrowserChecks(machine: machine, installation: installation, fixes: fixes).run()
        return (Dictionary(checks.map { ($0.name, $0) }) { first, _ in first }, machine)
    }

    private func manifest(_ family: Browser.Family, path: String = host) throws -> FakeMachine.Entry {
        FakeMachine.file(try HostManifest(path: path, family: family).text())
    }

    @Test func knowsWhereItsPartsLie() {
        #expect(installation.broker == "/usr/libexec/keyway/keywayd")
        #expect(installation.browserHost == Self.host)
        #expect(installation.browserExtension == "/usr/share/keyway/browser")
        #expect(InstalledFiles(program: "/build/debug/keyway").browserHost == "/build/debug/keyway-browser-host")
    }

    @Test(arguments: [
        ("chromium", ".config/chromium", ".config/chromium/NativeMessagingHosts", Browser.Family.chromium),
        ("chrome", ".config/google-chrome", ".config/google-chrome/NativeMessagingHosts", .chromium),
        (
            "brave", ".config/BraveSoftware/Brave-Browser",
            ".config/BraveSoftware/Brave-Browser/NativeMessagingHosts", .chromium
        ),
        ("edge", ".config/microsoft-edge", ".config/microsoft-edge/NativeMessagingHosts", .chromium),
        ("vivaldi", ".config/vivaldi", ".config/vivaldi/NativeMessagingHosts", .chromium),
        ("firefox", ".mozilla/firefox", ".mozilla/native-messaging-hosts", .firefox),
    ])
    func registersTheHostWhereTheBrowserLooks(
        word: String, profile: String, hosts: String, family: Browser.Family
    ) throws {
        let profileEntry = ["/home/ada/\(profile)": FakeMachine.folder()]
        #expect(checks(profileEntry).0["host:\(word)"]?.status == .failed)
        let (found, machine) = checks(profileEntry, fixes: true)
        #expect(found["host:\(word)"]?.status == .fixed)
        let text = try #require(machine.text("/home/ada/\(hosts)/org.keyway.autofill.json"))
        let written = try HostManifest(reading: Array(text.utf8))
        #expect(written == HostManifest(path: Self.host, family: family))
        #expect(written.allowedOrigins == (family == .chromium ? [BrowserExtension.chromiumOrigin] : nil))
        #expect(written.allowedExtensions == (family == .firefox ? [BrowserExtension.firefoxIdentifier] : nil))
        let again = BrowserChecks(machine: machine, installation: installation, fixes: true).run()
        #expect(again.first { $0.name == "host:\(word)" }?.status == .ok)
    }

    @Test(arguments: [
        "", "{", "{}",
        #"{"name":"other","description":"","path":"/usr/libexec/keyway/keyway-browser-host","type":"stdio"}"#,
        #"{"name":"org.keyway.autofill","description":"","path":"/gone","type":"stdio","allowed_origins":["chrome-extension://pniijmlillaikoljeeajbdinbododcbl/"]}"#,
        #"{"name":"org.keyway.autofill","description":"","path":"/usr/libexec/keyway/keyway-browser-host","type":"stdio","allowed_origins":["chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/"]}"#,
        #"{"name":"org.keyway.autofill","description":"","path":"/usr/libexec/keyway/keyway-browser-host","type":"stdio","allowed_origins":["chrome-extension://pniijmlillaikoljeeajbdinbododcbl/","chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/"]}"#,
    ])
    func wrongManifestsAreFoundAndReplaced(text: String) throws {
        let path = "/home/ada/.config/chromium/NativeMessagingHosts/org.keyway.autofill.json"
        let entries = ["/home/ada/.config/chromium": FakeMachine.folder(), path: FakeMachine.file(text)]
        #expect(checks(entries).0["host:chromium"]?.status == .failed)
        let (found, machine) = checks(entries, fixes: true)
        #expect(found["host:chromium"]?.status == .fixed)
        #expect(machine.text(path) == (try HostManifest(path: Self.host, family: .chromium).text()))
    }

    @Test func aManifestOfThePackageIsEnough() throws {
        let entries = [
            "/home/ada/.mozilla/firefox": FakeMachine.folder(),
            "/usr/lib/mozilla/native-messaging-hosts/org.keyway.autofill.json": try manifest(.firefox),
        ]
        #expect(checks(entries).0["host:firefox"]?.status == .ok)
    }

    @Test func withoutTheHostNothingIsRegistered() {
        let machine = FakeMachine(["/home/ada/.mozilla/firefox": FakeMachine.folder()])
        let checks = BrowserChecks(machine: machine, installation: installation, fixes: true).run()
        #expect(checks.first { $0.name == "host:firefox" }?.status == .failed)
        #expect(machine.text("/home/ada/.mozilla/native-messaging-hosts/org.keyway.autofill.json") == nil)
    }

    @Test(arguments: [
        ("/home/ada/.config/chromium/Default/Preferences", "extension:chromium", BrowserExtension.chromiumIdentifier),
        (
            "/home/ada/.config/chromium/Profile 1/Secure Preferences", "extension:chromium",
            BrowserExtension.chromiumIdentifier
        ),
        (
            "/home/ada/.mozilla/firefox/x.default/extensions.json", "extension:firefox",
            BrowserExtension.firefoxIdentifier
        ),
        (
            "/home/ada/.config/mozilla/firefox/x.default/extensions.json", "extension:firefox",
            BrowserExtension.firefoxIdentifier
        ),
    ])
    func findsTheExtensionInAProfile(file: String, name: String, identifier: String) {
        let browsers = [
            "/home/ada/.config/chromium": FakeMachine.folder(), "/home/ada/.mozilla/firefox": FakeMachine.folder(),
        ]
        let without = checks(browsers.merging([file: FakeMachine.file("{}")]) { $1 }).0[name]
        #expect(without?.status == .warning)
        #expect(without?.remedy?.contains("/usr/share/keyway/browser") == true)
        let with = checks(browsers.merging([file: FakeMachine.file("{\"\(identifier)\":{}}")]) { $1 }).0[name]
        #expect(with?.status == .ok)
    }

    /// Debian's own browsers load what a package put there; those from elsewhere do not look.
    @Test func anExtensionThatAPackageBroughtIsForTheSystemsOwnBrowsers() {
        let firefox = "/usr/share/mozilla/extensions/{ec8030f7-c20a-464f-9b0e-13a3a9e97384}"
        let found = checks([
            "/home/ada/.config/chromium": FakeMachine.folder(), "/home/ada/.config/google-chrome": FakeMachine.folder(),
            "/home/ada/.mozilla/firefox": FakeMachine.folder(), "/home/ada/snap/firefox": FakeMachine.folder(),
            "/usr/share/chromium/extensions/keyway": FakeMachine.folder(0o755, owner: 0),
            "\(firefox)/autofill@keyway.org": FakeMachine.folder(0o755, owner: 0),
        ]).0
        #expect(found["extension:chromium"]?.status == .ok)
        #expect(found["extension:firefox"]?.status == .ok)
        #expect(found["extension:chrome"]?.status == .warning)
        #expect(found["extension:firefox-snap"]?.status == .warning)
    }

    /// Firefox looks there when it starts: until then, a profile that was used before has no extension.
    @Test(arguments: [
        ([String](), Check.Status.ok), (["{}"], .warning), (["{}", "{}"], .warning),
        ([BrowserExtension.firefoxIdentifier], .ok), (["{}", BrowserExtension.firefoxIdentifier], .ok),
    ])
    func aProfileThatHasNotTakenTheExtensionYetIsToldApart(profiles: [String], status: Check.Status) {
        let firefox = "/usr/share/mozilla/extensions/{ec8030f7-c20a-464f-9b0e-13a3a9e97384}"
        var files = [
            "/home/ada/.mozilla/firefox": FakeMachine.folder(),
            // Made, and never started.
            "/home/ada/.mozilla/firefox/new.default": FakeMachine.folder(),
            "\(firefox)/autofill@keyway.org": FakeMachine.folder(0o755, owner: 0),
        ]
        for (number, text) in profiles.enumerated() {
            files["/home/ada/.mozilla/firefox/\(number).default/extensions.json"] = FakeMachine.file(text)
        }
        let found = checks(files).0["extension:firefox"]
        #expect(found?.status == status)
        #expect(found?.remedy?.contains("start it again") == (status == .warning ? true : nil))
    }

    @Test(arguments: [
        (Browser.Family.chromium, "/home/ada/.config/chromium/Profile 1/Preferences", "Profile 1"),
        (.chromium, "/home/ada/.config/chromium/Default/Secure Preferences", "Default"),
        (.firefox, "/home/ada/.mozilla/firefox/x.default/extension-preferences.json", "x.default"),
    ])
    func aProfileThatKeepsSitesBackIsNamed(family: Browser.Family, file: String, profile: String) {
        let word = family == .chromium ? "chromium" : "firefox"
        func said(_ sites: [String]) -> Check? {
            checks([
                "/home/ada/.config/chromium": FakeMachine.folder(), "/home/ada/.mozilla/firefox": FakeMachine.folder(),
                "/home/ada/.mozilla/firefox/x.default/extensions.json":
                    FakeMachine.file(BrowserExtension.firefoxIdentifier),
                // Brought by a package: the profile is looked into all the same.
                "/usr/share/chromium/extensions/keyway": FakeMachine.folder(0o755, owner: 0),
                file: FakeMachine.file(family == .chromium ? chromium(granted: sites) : firefox(granted: sites)),
            ]).0["extension:\(word)"]
        }
        let without = said(["https://a.example/*"])
        #expect(without?.status == .warning)
        #expect(without?.detail.contains("(profile \(profile))") == true)
        #expect(without?.remedy?.hasPrefix("Click Keyway's icon") == true)
        #expect(said(["http://*/*", "https://*/*"])?.status == .ok)
    }

    @Test(arguments: [
        (Browser.Family.chromium, "/home/ada/.config/chromium/Default/Preferences", "Default", "chrome://extensions"),
        (.firefox, "/home/ada/.mozilla/firefox/x.default/extensions.json", "x.default", "about:addons"),
    ])
    func aProfileInWhichTheExtensionIsOffIsNamed(
        family: Browser.Family, file: String, profile: String, where place: String
    ) {
        let word = family == .chromium ? "chromium" : "firefox"
        func said(isOff: Bool) -> Check? {
            let text = family == .chromium ? chromium(reasons: isOff ? "[1]" : "[]") : firefox(isOff: "\(isOff)")
            return checks([
                "/home/ada/.config/chromium": FakeMachine.folder(), "/home/ada/.mozilla/firefox": FakeMachine.folder(),
                "/usr/share/chromium/extensions/keyway": FakeMachine.folder(0o755, owner: 0),
                file: FakeMachine.file(text),
            ]).0["extension:\(word)"]
        }
        let off = said(isOff: true)
        #expect(off?.status == .warning)
        #expect(off?.detail.hasSuffix("but turned off (profile \(profile))") == true)
        #expect(off?.remedy?.contains(place) == true)
        #expect(said(isOff: false)?.status == .ok)
    }

    @Test(arguments: [
        ("chromium", "chromium", "/etc/chromium"), ("google-chrome", "chrome", "/etc/opt/chrome"),
        ("microsoft-edge", "edge", "/etc/opt/edge"), ("vivaldi", "vivaldi", "/etc/opt/vivaldi"),
        ("BraveSoftware/Brave-Browser", "brave", "/etc/chromium"),
    ])
    func aManifestThatAPackageBroughtRegistersTheHost(profile: String, word: String, folder: String) throws {
        let found = checks([
            "/home/ada/.config/\(profile)": FakeMachine.folder(),
            "\(folder)/native-messaging-hosts/org.keyway.autofill.json": try manifest(.chromium),
        ]).0
        #expect(found["host:\(word)"]?.status == .ok)
    }

    @Test func flatpakNeedsAWrapperAManifestAndAnOverride() throws {
        let profile = ["/home/ada/.var/app/org.mozilla.firefox": FakeMachine.folder()]
        let (found, machine) = checks(profile, fixes: true)
        let wrapper = "/home/ada/.var/app/org.mozilla.firefox/data/keyway-browser-host"
        #expect(machine.text(wrapper) == "#!/bin/sh\nexec flatpak-spawn --host '\(Self.host)' \"$@\"\n")
        #expect(machine.facts(wrapper)?.mode == 0o700)
        let hosts = "/home/ada/.var/app/org.mozilla.firefox/.mozilla/native-messaging-hosts"
        #expect(machine.text("\(hosts)/org.keyway.autofill.json")?.contains(wrapper) == true)
        #expect(found["sandbox:firefox-flatpak"]?.status == .warning)
        #expect(
            found["sandbox:firefox-flatpak"]?.remedy
                == "flatpak override --user --talk-name=org.freedesktop.Flatpak org.mozilla.firefox")
        machine.replace(
            "/home/ada/.local/share/flatpak/overrides/org.mozilla.firefox",
            with: "[Session Bus Policy]\norg.freedesktop.Flatpak=talk\n", mode: 0o644)
        let again = BrowserChecks(machine: machine, installation: installation, fixes: false).run()
        for name in ["wrapper", "host", "sandbox"] {
            #expect(again.first { $0.name == "\(name):firefox-flatpak" }?.status == .ok)
        }
    }

    @Test func snapsAreToldWhatWorks() {
        let (found, _) = checks([
            "/snap/chromium": FakeMachine.folder(), "/snap/firefox": FakeMachine.folder(),
        ])
        #expect(found["browser:chromium-snap"]?.status == .failed)
        #expect(
            found["sandbox:firefox-snap"]?.remedy
                == "flatpak permission-set webextensions org.keyway.autofill snap.firefox yes")
    }

    @Test func aMachineWithoutBrowsersIsToldSo() {
        #expect(checks([:]).0["browser"]?.status == .warning)
    }
}

struct SystemCheckTests {
    @Test(arguments: [
        (ProcessLimits(coreDump: 0, lockedMemory: nil), "core-dumps", Check.Status.ok),
        (ProcessLimits(coreDump: nil, lockedMemory: nil), "core-dumps", .failed),
        (ProcessLimits(coreDump: 0, lockedMemory: nil), "locked-memory", .ok),
        (ProcessLimits(coreDump: 0, lockedMemory: 8 << 20), "locked-memory", .ok),
        (ProcessLimits(coreDump: 0, lockedMemory: 64 << 10), "locked-memory", .warning),
        (ProcessLimits(coreDump: 0, lockedMemory: 0), "locked-memory", .warning),
    ])
    func judgesLimits(limits: ProcessLimits, name: String, status: Check.Status) {
        let checks = SystemChecks(machine: FakeMachine(limits: limits)).run()
        #expect(checks.first { $0.name == name }?.status == status)
    }

    @Test func looksForTheLoginManager() {
        let found = FakeMachine([
            "/run/dbus/system_bus_socket": FakeMachine.file(), "/run/systemd/sessions": FakeMachine.folder(),
        ])
        #expect(SystemChecks(machine: found).run().last?.status == .ok)
        #expect(SystemChecks(machine: FakeMachine()).run().last?.status == .warning)
    }

    @Test func programsMustBeThere() {
        let checks = InstalledFiles(program: "/usr/bin/keyway").checks(on: FakeMachine())
        #expect(checks.allSatisfy { $0.status == .failed })
    }
}

struct WallCheckTests {
    private func walls(program: String, _ entries: [String: FakeMachine.Entry]) -> [Check] {
        WallChecks(machine: FakeMachine(entries), installation: InstalledFiles(program: program)).run()
    }

    @Test func withTheGroupAllStand() {
        let group = FakeMachine.Entry(facts: FileFacts(kind: .file, mode: 0o644, owner: 0))
        #expect(walls(program: "/usr/bin/keyway", ["/usr/share/keyway/group": group]).map(\.status) == [.ok])
    }

    @Test func withoutTheGroupEachThatIsMissingIsNamed() {
        // A file of the person's own names no group.
        for entries in [[:], ["/home/ada/.local/share/keyway/group": FakeMachine.file("_keyway\n")]] {
            let found = walls(program: "/home/ada/.local/bin/keyway", entries)
            #expect(found.map(\.name) == ["walls:identity", "walls:memory", "walls:socket", "walls:environment"])
            #expect(found.allSatisfy { $0.status == .warning })
            #expect(found[0].remedy?.contains("Tools/install --group") == true)
        }
    }
}

struct SystemMachineTests {
    private let machine = SystemMachine(environment: ["HOME": "/"])

    private func withFolder(_ body: (String) throws -> Void) throws {
        var template = Array("/tmp/keyway-tests-XXXXXX".utf8CString)
        let path = try #require(mkdtemp(&template).map { String(cString: $0) })
        defer { for name in machine.names(in: path) { unlink("\(path)/\(name)") }; rmdir(path) }
        try body(path)
    }

    @Test func replacesFilesWholly() throws {
        try withFolder { folder in
            try machine.replace("\(folder)/a", with: "one", mode: 0o600)
            try machine.replace("\(folder)/a", with: "two", mode: 0o700)
            #expect(machine.read("\(folder)/a", limit: 100).map { String(decoding: $0, as: UTF8.self) } == "two")
            #expect(machine.facts("\(folder)/a") == FileFacts(kind: .file, mode: 0o700, owner: machine.user))
            #expect(machine.names(in: folder) == ["a"])
            #expect(machine.isExecutable("\(folder)/a"))
            #expect(machine.isWritableFolder(folder) && !machine.isWritableFolder("\(folder)/a"))
            #expect(machine.read("\(folder)/a", limit: 2)?.count == 2)
        }
    }

    @Test func aReplacementThatFailsLeavesNothing() throws {
        try withFolder { folder in
            #expect(throws: CommandError(.failure, "")) {
                try machine.replace("\(folder)/missing/a", with: "x", mode: 0o600)
            }
            #expect(machine.names(in: folder).isEmpty)
        }
    }

    @Test func readsNoFolders() {
        #expect(machine.read("/tmp", limit: 10) == nil)
        #expect(machine.facts("/tmp")?.kind == .folder)
        #expect(machine.facts("/does/not/exist") == nil)
    }
}
