import FoundationEssentials
import Glibc

/// On what the rows were measured: without it nobody can compare them.
package struct Surroundings: Sendable, Encodable {
    /// The commit, and whether files differ from it; nil where there is no git.
    package let commit: String?
    /// The processor as it calls itself, and how many of them there are.
    package let processor: String
    package let processors: Int
    package let kernel: String
    /// How many processes wanted to run on the whole machine, on average, in the last 1, 5 and 15 minutes.
    package let load: [Double]

    /// What is to be seen now.
    ///
    /// - Parameter folder: a folder of the working tree.
    package init(folder: String) {
        commit = Self.commit(folder)
        processor = Self.processor(in: ProcessFiles.text("/proc/cpuinfo") ?? "")
        processors = sysconf(CInt(_SC_NPROCESSORS_ONLN))
        let release = ProcessFiles.text("/proc/sys/kernel/osrelease") ?? ""
        kernel = release.split(separator: "\n").first.map(String.init) ?? ""
        load = Self.load()
    }

    /// The load of this moment.
    package static func load() -> [Double] { load(in: ProcessFiles.text("/proc/loadavg") ?? "") }

    static func load(in text: String) -> [Double] { text.split(separator: " ").prefix(3).compactMap { Double($0) } }

    static func processor(in text: String) -> String {
        let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
        let name = line?.split(separator: ":", maxSplits: 1).last ?? "unknown"
        return name.split(separator: " ").joined(separator: " ")
    }

    private static func commit(_ folder: String) -> String? {
        let git = Program("/usr/bin/git", environment: ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"])
        func said(_ words: String...) -> String? {
            // The tree may be another user's who lent it.
            guard let outcome = try? git.run(["-c", "safe.directory=*", "-C", folder] + words), outcome.status == 0
            else { return nil }
            return String(decoding: outcome.output, as: UTF8.self).split(separator: "\n").joined(separator: "\n")
        }
        guard access("/usr/bin/git", X_OK) == 0, let commit = said("rev-parse", "HEAD") else { return nil }
        return said("status", "--porcelain", "--untracked-files=no") == "" ? commit : "\(commit), with changes"
    }

    /// One line of JSON.
    package var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(["environment": self])).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    /// The same as words.
    package var text: String {
        "commit \(commit ?? "unknown"); \(processors) x \(processor); Linux \(kernel); "
            + "load \(load.map { "\($0)" }.joined(separator: " "))"
    }
}

/// How long processors worked.
package enum ProcessorTime {
    /// For this process and those that it started and that have ended, in seconds.
    package static var own: Double { seconds(RUSAGE_SELF.rawValue) + seconds(RUSAGE_CHILDREN.rawValue) }

    /// For a process and those that it started and that have ended, in seconds; 0 once it has ended.
    package static func seconds(of process: Int32) -> Double {
        seconds(in: ProcessFiles.text("/proc/\(process)/stat") ?? "", ticks: Double(sysconf(CInt(_SC_CLK_TCK))))
    }

    /// The times in a line of proc(5), of which there are so many in a second: its own two, and those of its children.
    static func seconds(in line: String, ticks: Double) -> Double {
        // The name before may hold anything.
        guard let end = line.lastIndex(of: ")") else { return 0 }
        let fields = line[line.index(after: end)...].split(separator: " ")
        guard fields.count > 14 else { return 0 }
        return fields[11...14].reduce(0) { $0 + (Double($1) ?? 0) } / ticks
    }

    private static func seconds(_ whose: __rusage_who.RawValue) -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(whose), &usage)
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }
}
