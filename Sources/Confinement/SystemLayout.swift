import Glibc

/// What every program needs of the system to run at all: libraries, and a few files of `/etc`. All of it can only be
/// read.
package struct SystemLayout: Hashable, Sendable {
    /// Folders of the system that programs and libraries lie in.
    package static let systemFolders = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"]
    /// Those of them in which nothing but programs lies. Of these, only what is declared can be read: whatever can be
    /// read can also be run, by the loader, by an interpreter, or as a copy in memory.
    package static let programFolders = [
        "/usr/bin", "/usr/sbin", "/usr/games", "/usr/libexec", "/usr/local/bin", "/usr/local/sbin", "/usr/local/games",
        "/usr/local/libexec", "/bin", "/sbin",
    ]
    /// Folders beside libraries that hold the parts of programs which providers work with, as these are known. They are
    /// out of sight where there are namespaces; Landlock cannot take a part out of what it allows.
    package static let helperFolders = [
        "/usr/lib/git-core", "/usr/lib/gnupg", "/usr/lib/gnupg2", "/usr/lib/openssh", "/usr/lib/ssh",
        "/usr/lib/policykit-1", "/usr/lib/polkit-1",
    ]
    /// What each program may read of `/etc`.
    package static let settings = [
        "/etc/ld.so.cache", "/etc/nsswitch.conf", "/etc/localtime", "/etc/alternatives", "/etc/host.conf",
        "/etc/locale.alias",
    ]
    /// What a program that uses the network reads besides.
    package static let networkSettings = [
        "/etc/resolv.conf", "/etc/hosts", "/etc/gai.conf", "/etc/services", "/etc/protocols", "/etc/ssl",
        "/etc/ca-certificates", "/etc/pki", "/etc/crypto-policies",
    ]
    /// Devices that are none: they give nothing, random numbers, or zeros.
    package static let devices = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"]
    /// Terminals, where a process has its own: elsewhere they are the person's, with what is typed there.
    package static let terminals = ["/dev/tty", "/dev/ptmx", "/dev/pts"]
    /// What starts dynamically linked programs.
    package static let loaders = [
        "/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1", "/lib/ld-linux-armhf.so.3",
        "/lib/ld-linux-riscv64-lp64d.so.1", "/lib64/ld64.so.2",
    ]

    /// Where libraries lie that this program was started with and that are none of the system's: the runtime of the
    /// language, in a build that does not carry it.
    package let libraryFolders: [String]
    /// What takes the place of `/etc/passwd` and `/etc/group`.
    package let accounts: Accounts?

    /// Two files in which the person stands alone.
    package struct Accounts: Hashable, Sendable {
        /// As `/etc/passwd`.
        package let users: String
        /// As `/etc/group`.
        package let groups: String

        /// The files at these paths.
        package init(users: String, groups: String) {
            self.users = users
            self.groups = groups
        }
    }

    /// A layout by its parts.
    package init(libraryFolders: [String], accounts: Accounts?) {
        self.libraryFolders = libraryFolders
        self.accounts = accounts
    }

    /// What of the system's folders may be read, for Landlock: all that lies there now, beside programs.
    package static var readableFolders: [String] {
        systemFolders.flatMap { withoutPrograms($0) }
    }

    private static func withoutPrograms(_ folder: String) -> [String] {
        if programFolders.contains(folder) { return [] }
        guard programFolders.contains(where: { $0.hasPrefix(folder + "/") }) else { return [folder] }
        guard let list = opendir(folder) else { return [] }
        defer { closedir(list) }
        var result: [String] = []
        while let entry = readdir(list) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            let path = "\(folder)/\(name)"
            var status = stat()
            // Where a link leads is allowed by its own path, or not at all.
            guard name != ".", name != "..", lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFLNK else {
                continue
            }
            result += withoutPrograms(path)
        }
        return result.sorted()
    }

    /// The folders of libraries in a table of mappings (`/proc/self/maps`) that are none of the system's, or lie where
    /// otherwise programs do.
    package static func libraryFolders(maps text: String) -> [String] {
        var folders: Set<String> = []
        for line in text.split(separator: "\n") {
            guard let start = line.firstIndex(of: "/"), let end = line.lastIndex(of: "/") else { continue }
            let name = line[line.index(after: end)...]
            let folder = String(line[start..<end])
            guard name.hasPrefix("libswift"), name.hasSuffix(".so"),
                !systemFolders.contains(where: { PathWalk.isWithin(folder, $0) })
                    || programFolders.contains(where: { PathWalk.isWithin(folder, $0) })
            else { continue }
            folders.insert(folder)
        }
        return folders.sorted()
    }
}
