import FoundationEssentials

/// One measured row: one object of `keyway-bench --json`.
package struct BenchmarkRow: Sendable {
    /// What was done.
    package let name: String
    /// How many items, identities or accounts there were; 0 where the row has no size.
    package let size: Int
    /// The times.
    package let samples: Samples
    /// The most memory of all our processes together, in MiB.
    package let peakMiB: Double?
    /// Who did the same work in the same run.
    package var peer: Peer?
    /// The part of ``peakMiB`` that is the buffer of the key derivation.
    package var derivationMiB: Int?
    /// How long the key derivation alone takes, in milliseconds, where the row has one.
    package var derivationTime: Double?
    /// What the row is held to, and whether it was met.
    package var goals: [Goal] = []

    /// How many requests of several clients were answered in a second; nil where one asks after the other.
    package var requestsPerSecond: Double?
    /// What measuring the row took.
    package var effort: Effort?
    /// What one run asks of the system; nil where that was not counted.
    package var calls: Calls?

    /// What measuring took, with all that was prepared for it.
    package struct Effort: Sendable {
        /// From its beginning to its end.
        package let wallSeconds: Double
        /// What the processors worked for it: this program, the programs that it ran, and our processes.
        package let cpuSeconds: Double

        /// An effort of so many seconds.
        package init(wallSeconds: Double, cpuSeconds: Double) {
            self.wallSeconds = wallSeconds
            self.cpuSeconds = cpuSeconds
        }
    }

    /// What our processes ask the kernel for in one run, in a run of its own that is not timed.
    package struct Calls: Sendable {
        /// System calls.
        package var system: Double?
        /// Programs that were started.
        package var starts: Double?
        /// Pages that were touched and were not there.
        package var faults: Double?
        /// How often a processor went from one thread to another.
        package var switches: Double?
        /// How often the disk was waited for.
        package var flushes: Double?

        /// So many in one run; nil for what was not counted.
        package init(system: Double? = nil, starts: Double? = nil, faults: Double? = nil) {
            self.system = system
            self.starts = starts
            self.faults = faults
        }
    }

    /// Another program's figures.
    package struct Peer: Sendable {
        /// Its name and release.
        package let name: String
        /// Its median in milliseconds.
        package let median: Double
        /// Its most memory in MiB.
        package let peakMiB: Double?

        /// The figures of `name`.
        package init(name: String, median: Double, peakMiB: Double?) {
            self.name = name
            self.median = median
            self.peakMiB = peakMiB
        }
    }

    /// A bound.
    package struct Goal: Sendable {
        /// The bound in words.
        package let text: String
        /// Whether the row keeps it.
        package let isMet: Bool

        /// A bound that was kept or not.
        package init(_ text: String, _ isMet: Bool) {
            self.text = text
            self.isMet = isMet
        }
    }

    /// A row by its parts.
    package init(name: String, size: Int = 0, samples: Samples, peakMiB: Double? = nil) {
        self.name = name
        self.size = size
        self.samples = samples
        self.peakMiB = peakMiB
    }
}

extension BenchmarkRow: Encodable {
    private enum Member: String, CodingKey {
        case name, size, runs, peer
        case median = "median_ms"
        case percentile95 = "p95_ms"
        case peak = "peak_mib"
        case peerMedian = "peer_median_ms"
        case peerPeak = "peer_peak_mib"
        case derivation = "kdf_mib"
        case derivationTime = "kdf_ms"
        case perSecond = "requests_per_s"
        case wall = "wall_s"
        case cpu = "cpu_s"
        case systemCalls = "system_calls"
        case starts = "process_starts"
        case faults = "page_faults"
        case switches = "context_switches"
        case flushes = "disk_flushes"
    }

    /// Writes every member; what was not measured is null.
    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Member.self)
        try members.encode(name, forKey: .name)
        try members.encode(size, forKey: .size)
        try members.encode(samples.count, forKey: .runs)
        try members.encode(timed(samples.median)?.rounded(toDigits: 4), forKey: .median)
        try members.encode(timed(samples.percentile95)?.rounded(toDigits: 4), forKey: .percentile95)
        try members.encode(peakMiB?.rounded(toDigits: 1), forKey: .peak)
        try members.encode(peer?.name, forKey: .peer)
        try members.encode(peer?.median.rounded(toDigits: 4), forKey: .peerMedian)
        try members.encode(peer?.peakMiB?.rounded(toDigits: 1), forKey: .peerPeak)
        try members.encode(derivationMiB, forKey: .derivation)
        try members.encode(derivationTime?.rounded(toDigits: 1), forKey: .derivationTime)
        try members.encode(requestsPerSecond?.rounded(toDigits: 0), forKey: .perSecond)
        try members.encode(effort?.wallSeconds.rounded(toDigits: 1), forKey: .wall)
        try members.encode(effort?.cpuSeconds.rounded(toDigits: 1), forKey: .cpu)
        try members.encode(calls?.system?.rounded(toDigits: 1), forKey: .systemCalls)
        try members.encode(calls?.starts?.rounded(toDigits: 1), forKey: .starts)
        try members.encode(calls?.faults?.rounded(toDigits: 1), forKey: .faults)
        try members.encode(calls?.switches?.rounded(toDigits: 1), forKey: .switches)
        try members.encode(calls?.flushes?.rounded(toDigits: 1), forKey: .flushes)
    }

    /// The time; nil where nothing was timed.
    func timed(_ time: Double) -> Double? { samples.count > 0 ? time : nil }

    /// The row as one line of JSON.
    package var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}

extension Double {
    /// This number with so many digits after the point.
    func rounded(toDigits digits: Int) -> Double {
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        return (self * scale).rounded() / scale
    }
}
