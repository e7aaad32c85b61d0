import AutoFillProtocol
import KeywaySystem
import Testing

@testable import ProviderHosting

@Suite("Paths of a sandbox")
struct SandboxFoldersTests {
    private static let environment = [
        "HOME": "/home/ada", "XDG_RUNTIME_DIR": "/run/user/1000", "XDG_CONFIG_HOME": "relative",
        "GNUPGHOME": "/home/ada/keys/",
    ]

    private let folders: SandboxFolders

    init() throws {
        let paths = try KeywayPaths(environment: Self.environment) { _ in true }
        folders = SandboxFolders(environment: Self.environment, paths: paths)
    }

    @Test(
        "are expanded as the base directories say",
        arguments: [
            ("/srv/x", "/srv/x"), ("~/x", "/home/ada/x"), ("$HOME/x", "/home/ada/x"),
            ("$XDG_DATA_HOME/x/y", "/home/ada/.local/share/x/y"), ("$XDG_CONFIG_HOME/x", "/home/ada/.config/x"),
            ("$XDG_RUNTIME_DIR/x", "/run/user/1000/x"), ("$PASSWORD_STORE_DIR", "/home/ada/.password-store"),
            ("$GNUPGHOME", "/home/ada/keys"), ("$GNUPGHOME/x", "/home/ada/keys/x"),
        ])
    func expansion(text: String, path: String) {
        #expect(SandboxFolders.complaint(about: text) == nil)
        #expect(folders.expand(text) == path)
    }

    @Test(
        "have no other form",
        arguments: [
            "", "x", "./x", "~", "~ada/x", "$HOME", "$HOME/", "$USER/x", "$XDG_DATA_HOME", "/", "/a//b", "/a/./b",
            "/a/../b", "~/..", "$GNUPGHOME/../x", "/a\nb", "$", "/" + String(repeating: "x", count: 2000),
        ])
    func form(text: String) {
        #expect(SandboxFolders.complaint(about: text) != nil)
    }

    @Test(
        "that hold more than a bundle may have are refused",
        arguments: [
            "/home/ada", "/home", "/tmp", "/run", "/home/ada/.config", "/home/ada/.local", "/home/ada/.local/share",
            "/run/user/1000", "/run/user", "/proc/1", "/sys/fs", "/dev/sda", "/home/ada/.local/share/keyway",
            "/home/ada/.local/share/keyway/groups/group.other", "/home/ada/.local/share/keyway/providers",
            "/home/ada/.local/share/keyway/private", "/home/ada/.local/share/keyway/private/org.other",
            "/home/ada/.local/state/keyway/identities", "/run/user/1000/keyway", "/run/user/1000/keyway/autofill.sock",
            "/run/user/1000/bus", "/run/user/1000/systemd/private",
        ])
    func tooMuch(path: String) {
        #expect(folders.objection(to: path, writes: false, of: "org.own") != nil)
    }

    @Test(
        "that are its own, or the person's, are not",
        arguments: [
            "/home/ada/.password-store", "/home/ada/x", "/run/user/1000/gnupg", "/srv/shared", "/home/adam/x",
            "/home/ada/.local/share/keyway/private/org.own", "/home/ada/.local/state/keyway/private/org.own/x",
            "/run/dbus/system_bus_socket", "/usr/share/dict",
        ])
    func own(path: String) {
        #expect(folders.objection(to: path, writes: false, of: "org.own") == nil)
    }

    @Test(
        "whose contents run outside are not changed",
        arguments: [
            "/home/ada/.bashrc", "/home/ada/.profile", "/home/ada/.zshrc", "/home/ada/.config/autostart",
            "/home/ada/.config/autostart/x.desktop", "/home/ada/.config/systemd", "/home/ada/.config/systemd/user",
            "/home/ada/.config/environment.d", "/home/ada/.local/share/applications", "/home/ada/.local/bin",
            "/home/ada/.ssh", "/home/ada/.gitconfig", "/home/ada/.config/git", "/home/ada/.mozilla", "/home/ada/keys",
            "/home/ada/keys/gpg-agent.conf", "/home/ada/store/.git", "/home/ada/store/.git/hooks",
            "/home/ada/.gnupg", "/home/ada/.local/lib", "/home/ada/.local/lib/python3.11/site-packages",
            "/home/ada/.vscode", "/home/ada/.config/Code", "/home/ada/.config/Code/User",
            "/home/ada/.password-store/.extensions", "/home/ada/.password-store/.extensions/otp.bash",
        ])
    func runLater(path: String) {
        #expect(folders.objection(to: path, writes: true, of: "org.own") != nil)
        #expect(folders.objection(to: path, writes: false, of: "org.own") == nil)
    }

    @Test(
        "of what starts programs for whoever asks are nobody's",
        arguments: [
            "/run/docker.sock", "/var/run/docker.sock", "/run/podman/podman.sock", "/run/user/1000/podman/podman.sock",
            "/run/user/1000/docker.sock", "/run/libvirt", "/run/user/1000/at-spi/bus_0", "/tmp/.X11-unix/X0",
            "/run/user/1000/wayland-0", "/run/user/1000/wayland-1", "/run/user/1000/sway-ipc.1000.7.sock",
            "/run/user/1000/hypr/x/.socket.sock", "/run/user/1000/emacs/server", "/tmp/.ICE-unix/7",
        ])
    func doors(path: String) {
        for writes in [false, true] {
            #expect(folders.objection(to: path, writes: writes, of: "org.own") != nil)
        }
    }

    @Test(
        "of gpg's secret keys are nobody's",
        arguments: [
            "/home/ada/keys/private-keys-v1.d", "/home/ada/keys/private-keys-v1.d/x.key",
            "/home/ada/.gnupg/private-keys-v1.d", "/srv/backup/private-keys-v1.d/x.key",
        ])
    func secretKeys(path: String) {
        for writes in [false, true] {
            #expect(folders.objection(to: path, writes: writes, of: "org.own") == "is secret keys of gpg")
        }
    }

    @Test("a password store is changed, and what is called like its extensions elsewhere")
    func store() {
        for path in ["/home/ada/.password-store", "/home/ada/.password-store/Web", "/home/ada/x/.extensions"] {
            #expect(folders.objection(to: path, writes: true, of: "org.own") == nil, "\(path)")
        }
    }

    @Test("of the system are not changed", arguments: ["/usr/lib/x", "/etc/passwd", "/bin/x", "/lib/x"])
    func system(path: String) {
        #expect(folders.objection(to: path, writes: true, of: "org.own") != nil)
        #expect(folders.objection(to: path, writes: false, of: "org.own") == nil)
    }

    @Test("name the key where they are refused")
    func problems() {
        let judge = SandboxJudge(folders: folders, identifier: "org.own")
        var declared = DeclaredSandbox()
        #expect(judge.problem(of: declared) == nil)
        declared.programs = ["gpg", "/usr/lib/git-core", "python3.11", "x y"]
        #expect(judge.problem(of: declared)?.contains("KeywaySandbox.Programs: `x y`") == true)
        declared.sockets = ["/run/user/1000/bus"]
        #expect(judge.problem(of: declared)?.contains("KeywaySandbox.Sockets") == true)
        declared.readPaths = Array(repeating: "~/x", count: 33)
        #expect(judge.problem(of: declared)?.contains("KeywaySandbox.ReadPaths has more than 32") == true)
    }

    @Test("pass on the variables that they name, and those of the person's folders")
    func variables() {
        let all = Self.environment.merging(["LANG": "C", "SECRET": "x", "XDG_SESSION_ID": "4"]) { $1 }
        #expect(
            Set(SandboxFolders.passedOn(all, to: nil).keys) == ["HOME", "LANG", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME"])
        var declared = DeclaredSandbox()
        declared.readPaths = ["$GNUPGHOME"]
        #expect(SandboxFolders.passedOn(all, to: declared)["GNUPGHOME"] == "/home/ada/keys/")
    }

    @Test("are empty folders of a process's own, each once")
    func privateFolders() {
        #expect(folders.privateFolders == ["/home/ada", "/run/user/1000"])
    }

    @Test("say in words what is reached")
    func words() {
        var declared = DeclaredSandbox()
        #expect(declared.reaches.isEmpty)
        declared.writePaths = ["~/a", "~/b"]
        declared.network = true
        #expect(declared.reaches.count == 2)
        #expect(declared.reaches.first == "read and change ~/a, ~/b")
    }

    @Test("say that the network is also this machine's own, and the session's")
    func wordsOfNetwork() throws {
        var declared = DeclaredSandbox()
        declared.network = true
        let words = try #require(declared.reaches.first)
        for word in ["internet", "localhost", "abstract sockets"] { #expect(words.contains(word)) }
    }

    @Test("status of bubblewrap is that of the program", arguments: [(0, 0), (1 << 8, 1 << 8), (137 << 8, 9), (9, 9)])
    func status(outer: CInt, inner: CInt) {
        #expect(ConfinedProcess.inner(status: outer) == inner)
    }
}
