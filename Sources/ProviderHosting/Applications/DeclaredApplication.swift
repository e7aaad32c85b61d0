import AutoFillWire
import Glibc

/// What a bundle writes under `KeywayApplications`: programs that count as the app which contains the extension.
package enum DeclaredApplication {
    /// The most programs of one bundle.
    static let maximum = 16

    /// The paths of the programs, absolute, as they are written; names stand for programs in the bundle's folder.
    static func paths(_ names: [String], bundle: String) -> [String] {
        names.map { $0.hasPrefix("/") ? $0 : "\(bundle)/\($0)" }
    }

    /// What is wrong with the list, in a sentence; nil when nothing is. A program that is not there is no fault: it may
    /// be just about to be replaced.
    static func problem(of names: [String], bundle: String) -> String? {
        guard names.count <= maximum else { return "KeywayApplications may name \(maximum) programs at most." }
        for (name, path) in zip(names, paths(names, bundle: bundle)) {
            guard isPlain(path) else {
                return "KeywayApplications must hold absolute paths, or names in the bundle, without `.` and `..`."
            }
            guard !isInterpreter(path), !isInterpreter(resolved(path) ?? path) else {
                return "KeywayApplications names \(DisplayText.line(name)), which runs other people's programs too."
            }
        }
        return nil
    }

    /// The path without links; nil when nothing is there.
    package static func resolved(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    /// Whether it is an absolute path that is spelled plainly.
    static func isPlain(_ path: String) -> Bool {
        guard path.utf8.count < Int(PATH_MAX), path.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return false }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        return !parts.isEmpty && parts.allSatisfy { !["", ".", ".."].contains($0) }
    }

    /// Whether the program is known to run whatever it is given: then it is nobody's app.
    ///
    /// This spares a bundle's author a mistake; it is no wall. A program that runs others and is not known here, or a
    /// copy of one under another name, is taken.
    package static func isInterpreter(_ path: String) -> Bool {
        let name = path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
        if families.contains(where: name.hasPrefix) { return true }
        // python3.11, lua5.4, tclsh8.6: the name in front of the release.
        let stem = name.prefix { !$0.isNumber }.lowercased()
        let trimmed = stem.hasSuffix("-") ? String(stem.dropLast()) : stem
        return interpreters.contains(trimmed)
    }

    /// How the names of loaders, emulators and tools begin that come in many kinds; `box64` ends in a number that is no
    /// release.
    private static let families = [
        "ld-", "ld.so", "qemu-", "box64", "box86", "lldb-", "octave-", "valgrind", "cachegrind-", "callgrind-",
        "helgrind-", "massif-", "memcheck-",
    ]

    private static let interpreters: Set<String> = [
        "ash", "bash", "busybox", "csh", "dash", "fish", "ksh", "mksh", "rbash", "sh", "tcsh", "yash", "zsh",
        "awk", "bun", "cscript", "deno", "dotnet", "electron", "emacs", "env", "erl", "expect", "gawk",
        "gdb", "ghci", "gjs", "guile", "java", "julia", "lldb", "ltrace", "lua", "luajit", "mawk", "mono",
        "node", "nodejs", "nvim", "octave", "perl", "php", "pwsh", "pypy", "python", "qjs", "r", "racket", "rr",
        "rscript", "ruby", "sbcl", "strace", "swift", "tclsh", "vim", "wine", "wish",
    ]
}
