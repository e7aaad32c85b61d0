import BrokerTestSupport
import Confinement
import Foundation
import KeywaySystem
import Testing

@testable import ProviderHosting

/// A person whose home folder is a link to where it truly lies.
@Suite("What a bundle reaches of a machine")
struct SandboxPlanTests {
    private let folder: TemporaryFolder
    private let home: String
    private let real: String
    private let paths: KeywayPaths
    private let folders: SandboxFolders

    init() throws {
        folder = try TemporaryFolder()
        real = PathWalk.canonical(try folder.folder("disk/ada"))
        home = folder.path + "/home"
        try FileManager.default.createSymbolicLink(atPath: home, withDestinationPath: real)
        let environment = ["HOME": home, "XDG_RUNTIME_DIR": try folder.folder("run")]
        paths = try KeywayPaths(environment: environment) { _ in true }
        folders = SandboxFolders(environment: environment, paths: paths)
    }

    private func enclosure(_ declared: [String: any Sendable], _ others: SandboxFolders? = nil) throws -> Enclosure {
        try plan(declared, others).enclosure(role: .providerExtension)
    }

    private func plan(_ declared: [String: any Sendable], _ others: SandboxFolders? = nil) throws -> SandboxPlan {
        let bundle = try folder.folder("vault.appex")
        let list: [String: Any] = [
            "CFBundleIdentifier": "test.vault", "CFBundleName": "vault", "CFBundleExecutable": "extension",
            "NSExtension": ["NSExtensionPointIdentifier": InfoPropertyList.extensionPoint], "KeywaySandbox": declared,
        ]
        try folder.write(
            PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0),
            to: "vault.appex/Info.plist")
        try folder.write("#!/bin/true", to: "vault.appex/extension", mode: 0o755)
        return SandboxPlan(
            bundle: ProviderBundle(path: bundle, scope: .user), group: nil, folders: others ?? folders)
    }

    private func access(_ enclosure: Enclosure, _ path: String) -> Enclosure.Access? {
        enclosure.places.first { $0.key.path == path }?.value
    }

    @Test("a home folder that is a link is refused by both of its paths, as is what lies in it")
    func homeIsALink() {
        for path in [
            home, real, "\(real)/.config", "\(real)/.local/share", "\(real)/.local/share/keyway/groups/group.other",
            "\(real)/.local/state/keyway/identities", "\(home)/.local/state/keyway/identities",
        ] {
            #expect(folders.objection(to: path, writes: false, of: "test.vault") != nil, "\(path)")
        }
        for path in ["\(home)/.bashrc", "\(real)/.bashrc", "\(real)/.config/autostart"] {
            #expect(folders.objection(to: path, writes: true, of: "test.vault") != nil, "\(path)")
        }
        for path in [
            "\(home)/notes", "\(real)/notes", "\(real)/.local/share/keyway/private/test.vault",
            "\(home)/.local/state/keyway/private/test.vault/x",
        ] {
            #expect(folders.objection(to: path, writes: true, of: "test.vault") == nil, "\(path)")
        }
    }

    @Test("whoever needs nothing but files and the system's bus gets no user namespace, which would open its memory")
    func keeper() throws {
        #expect(try enclosure([:]).isKeeper)
        #expect(try enclosure(["WritePaths": ["~/notes"], "SystemBus": true]).isKeeper)
    }

    @Test(
        "whoever needs programs, sockets or the network gets namespaces",
        arguments: [["Programs": ["gpg"]], ["Sockets": ["/run/other"]]])
    func others(declared: [String: [String]]) throws {
        #expect(try !enclosure(declared).isKeeper)
        #expect(try !enclosure(["Network": true]).isKeeper)
    }

    @Test("a link that the bundle may plant is not followed, however the path to it is spelled")
    func planted() throws {
        try folder.folder("secrets")
        try folder.folder("disk/ada/notes")
        for text in ["~/notes/inner", "\(real)/notes/inner", "\(folder.path)/home/notes/inner"] {
            try? FileManager.default.removeItem(atPath: "\(real)/notes/inner")
            try FileManager.default.createSymbolicLink(
                atPath: "\(real)/notes/inner", withDestinationPath: "\(folder.path)/secrets")
            for key in ["ReadPaths", "WritePaths", "Sockets", "Programs"] {
                var declared = ["WritePaths": ["~/notes"]]
                declared[key, default: []].append(text)
                let enclosure = try enclosure(declared)
                #expect(access(enclosure, "\(home)/notes") == .write)
                #expect(!enclosure.places.keys.contains { $0.source.hasSuffix("/secrets") }, "\(key) \(text)")
            }
        }
    }

    @Test("a folder to write in that is missing is made where the link leads")
    func made() throws {
        let enclosure = try enclosure(["WritePaths": ["~/new/folder"]])
        #expect(folder.exists("disk/ada/new/folder"))
        #expect(enclosure.places[.init(source: "\(real)/new/folder", path: "\(home)/new/folder")] == .write)
    }

    @Test(
        "the repository of a git work tree that it changes is read only, whatever it is",
        arguments: [
            ["store/.git/config"], ["store/.git"],
        ])
    func repository(files: [String]) throws {
        for file in files { try folder.write("[core]", to: "disk/ada/\(file)") }
        let enclosure = try enclosure(["WritePaths": ["~/store"]])
        #expect(access(enclosure, "\(home)/store") == .write)
        // A mount of its own, which cannot be moved away.
        #expect(access(enclosure, "\(home)/store/.git") == .read)
    }

    @Test("secret keys of gpg are hidden wherever a declared path covers them")
    func secretKeys() throws {
        try folder.folder("disk/ada/.gnupg/private-keys-v1.d")
        try folder.folder("disk/ada/office/keys/private-keys-v1.d")
        try folder.folder("disk/ada/other/private-keys-v1.d")
        try FileManager.default.createSymbolicLink(atPath: "\(real)/way", withDestinationPath: "\(real)/.gnupg")
        let environment = ["HOME": home, "XDG_RUNTIME_DIR": "\(folder.path)/run", "GNUPGHOME": "\(home)/office/keys"]
        let folders = SandboxFolders(environment: environment, paths: paths)
        let hidden = try enclosure(["ReadPaths": ["~/way", "~/office", "~/other"]], folders).hidden
        #expect(
            hidden == [
                "\(home)/office/keys/private-keys-v1.d", "\(home)/other/private-keys-v1.d",
                "\(home)/way/private-keys-v1.d",
            ])
    }

    @Test("secret keys that lie elsewhere by a link are hidden there, and are nobody's by that path")
    func linkedSecretKeys() throws {
        try folder.folder("disk/ada/usb/keys")
        try folder.folder("disk/ada/.gnupg")
        try FileManager.default.createSymbolicLink(
            atPath: "\(real)/.gnupg/private-keys-v1.d", withDestinationPath: "\(real)/usb/keys")
        let folders = SandboxFolders(environment: ["HOME": home], paths: paths)
        #expect(try enclosure(["ReadPaths": ["~/usb", "~/.gnupg"]], folders).hidden == ["\(home)/usb/keys"])
        #expect(folders.objection(to: "\(real)/usb/keys", writes: false, of: "test.vault") != nil)
    }

    @Test("of a password store that it changes, what pass runs is read only")
    func passwordStore() throws {
        try folder.folder("disk/ada/vaults/store")
        let environment = ["HOME": home, "PASSWORD_STORE_DIR": "\(home)/vaults/store"]
        let folders = SandboxFolders(environment: environment, paths: paths)
        for text in ["~/vaults", "$PASSWORD_STORE_DIR", "\(real)/vaults/store"] {
            let enclosure = try enclosure(["WritePaths": [text]], folders)
            let base = text.hasPrefix(real) ? real : home
            #expect(
                access(enclosure, "\(base)/vaults/store") == .write, "a mount of its own, which cannot be moved away")
            #expect(access(enclosure, "\(base)/vaults/store/.extensions") == .read)
        }
        #expect(folder.exists("disk/ada/vaults/store/.extensions"), "what is not there could be made")
        #expect(try self.enclosure(["WritePaths": ["~/.password-store"]]).places.count == 3)
    }

    @Test("a password store whose extensions are a link is not given")
    func linkedExtensions() throws {
        try folder.folder("disk/ada/.password-store")
        try FileManager.default.createSymbolicLink(
            atPath: "\(real)/.password-store/.extensions", withDestinationPath: "\(folder.path)/run")
        #expect(throws: ProtocolError.self) { try enclosure(["WritePaths": ["$PASSWORD_STORE_DIR"]]) }
    }

    @Test(
        "a keeper is not started where Landlock alone would have to take something back",
        arguments: [
            ("store/.git/config", "WritePaths"), (".password-store/entry", "WritePaths"),
            ("store/private-keys-v1.d/key", "ReadPaths"),
        ])
    func keeperWithExceptions(file: String, key: String) throws {
        try folder.write("", to: "disk/ada/\(file)")
        let declared = [key: ["~/\(file.prefix { $0 != "/" })"]]
        var plan = try plan(declared)
        let enclosure = try plan.enclosure(role: .providerExtension)
        #expect(throws: ProtocolError.self) { try plan.checkHoldsWithoutNamespaces(enclosure) }
        // In namespaces it can be kept from it.
        let other = try self.plan(declared.merging(["Programs": ["true"]]) { $1 })
        try other.checkHoldsWithoutNamespaces(other.enclosure(role: .providerExtension))
        // The person agreed to that.
        var bundle = plan.bundle
        bundle.mayRunUnconfined = true
        plan = SandboxPlan(bundle: bundle, group: nil, folders: folders)
        try plan.checkHoldsWithoutNamespaces(enclosure)
    }

    @Test("a keeper is started beside what is less open elsewhere, and in what is its own")
    func keeperWithoutExceptions() throws {
        try folder.write("", to: "disk/ada/.local/share/keyway/private/test.vault/.git/config")
        try folder.write("", to: "disk/ada/notes/.git/config")
        for declared in [
            ["WritePaths": ["$XDG_DATA_HOME/keyway/private/test.vault"]],
            ["WritePaths": ["~/other"], "ReadPaths": ["~/notes"]],
        ] {
            let plan = try plan(declared)
            let enclosure = try plan.enclosure(role: .providerExtension)
            #expect(enclosure.isKeeper)
            try plan.checkHoldsWithoutNamespaces(enclosure)
        }
    }

    @Test("a folder that is no work tree is left as it is")
    func noRepository() throws {
        try folder.folder("disk/ada/plain")
        #expect(try enclosure(["WritePaths": ["~/plain"]]).places.count == 2)
        #expect(!folder.exists("disk/ada/plain/.git"))
    }
}
