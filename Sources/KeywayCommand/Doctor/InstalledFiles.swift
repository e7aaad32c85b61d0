import KeywaySystem

/// Where the parts of Keyway lie that belong to this program.
package struct InstalledFiles: Hashable, Sendable {
    /// The broker.
    package let broker: String
    /// The native host of browsers.
    package let browserHost: String
    /// The kit that judges providers.
    package let providerKit: String
    /// What serves the clipboard.
    package let clipboard: String
    /// The folder of the extension, to be loaded by hand.
    package let browserExtension: String
    /// The file that names the group of Keyway's own programs, where it is installed for everybody.
    package let groupFile: String

    /// What belongs to `program`, an absolute path such as `/usr/bin/keyway`.
    package init(program: String) {
        let folder = program.split(separator: "/").dropLast()
        let isInstalled = folder.last == "bin"
        let prefix = "/" + (isInstalled ? folder.dropLast() : folder).joined(separator: "/")
        let base = prefix == "/" ? "" : prefix
        // A program that was built and not installed has its fellows beside it.
        broker = isInstalled ? "\(base)/libexec/keyway/keywayd" : "\(base)/keywayd"
        browserHost = isInstalled ? "\(base)/libexec/keyway/keyway-browser-host" : "\(base)/keyway-browser-host"
        providerKit = isInstalled ? "\(base)/libexec/keyway/keyway-provider-kit" : "\(base)/keyway-provider-kit"
        clipboard = isInstalled ? "\(base)/libexec/keyway/keyway-clipboard" : "\(base)/keyway-clipboard"
        browserExtension = "\(base)/share/keyway/browser"
        groupFile = "\(base)/share/keyway/group"
    }

    /// Another of Keyway's own programs, by its name.
    func beside(_ name: String) -> String {
        FilePath.folder(of: broker) + "/" + name
    }

    /// The programs, checked to be there.
    package func checks(on machine: any Machine) -> [Check] {
        [("program:broker", broker), ("program:browser-host", browserHost)].map { name, path in
            machine.isExecutable(path)
                ? Check(name, .ok, path) : Check(name, .failed, Strings.programMissing(path), remedy: Strings.reinstall)
        }
    }
}
