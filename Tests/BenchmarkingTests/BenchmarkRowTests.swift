import Benchmarking
import Testing

@Suite struct BenchmarkRowTests {
    @Test func everyMemberIsThereAlsoWithoutAPeer() {
        let row = BenchmarkRow(name: "suggest", size: 1000, samples: Samples([0.25, 0.5, 0.75]), peakMiB: 20.04)
        #expect(
            row.json
                == #"{"context_switches":null,"cpu_s":null,"disk_flushes":null,"kdf_mib":null,"kdf_ms":null,"median_ms":0.5,"name":"suggest","p95_ms":0.75,"#
                + #""page_faults":null,"peak_mib":20,"peer":null,"peer_median_ms":null,"peer_peak_mib":null,"process_starts":null,"#
                + #""requests_per_s":null,"runs":3,"size":1000,"system_calls":null,"wall_s":null}"#)
    }

    @Test func aRowOfMemoryAloneHasNoTimes() {
        let row = BenchmarkRow(name: "idle", size: 10, samples: Samples(), peakMiB: 42)
        #expect(row.json.contains(#""median_ms":null"#))
        #expect(row.json.contains(#""p95_ms":null,"page_faults":null,"peak_mib":42"#))
    }

    @Test func peersFiguresStandBeside() {
        var row = BenchmarkRow(name: "unlock-show", size: 10, samples: Samples([100]))
        row.peer = .init(name: "other 1.0", median: 200.123_456, peakMiB: 55.55)
        row.derivationMiB = 64
        #expect(row.json.contains(#""peer":"other 1.0","peer_median_ms":200.1235,"peer_peak_mib":55.6"#))
        #expect(row.json.contains(#""kdf_mib":64"#))
    }

    @Test func whatItTookAndAskedStandsBeside() {
        var row = BenchmarkRow(name: "suggest", size: 10, samples: Samples([1]))
        row.effort = .init(wallSeconds: 12.34, cpuSeconds: 5.06)
        row.calls = .init(system: 31.25, starts: 2, faults: 3.04)
        row.calls?.flushes = 6
        row.requestsPerSecond = 812.6
        #expect(row.json.contains(#""cpu_s":5.1,"#) && row.json.contains(#""wall_s":12.3}"#))
        #expect(row.json.contains(#""process_starts":2,"requests_per_s":813"#))
        #expect(row.json.contains(#""system_calls":31.3"#) && row.json.contains(#""page_faults":3,"#))
        #expect(row.json.contains(#""disk_flushes":6,"#) && row.json.contains(#""context_switches":null"#))
        var table = TextTable()
        table.append(row)
        #expect(table.text.split(separator: "\n")[1].split(separator: " ").contains("813"))
    }

    @Test func tableSaysWhichGoalsWereMissed() {
        var row = BenchmarkRow(name: "start", samples: Samples([2.5, 3]))
        row.goals = [.init("median < 10 ms", true), .init("p95 < 1 ms", false)]
        var table = TextTable()
        table.append(row)
        let lines = table.text.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines[0].hasPrefix("row "))
        #expect(lines[1].contains("2.750"))
        #expect(lines[1].hasSuffix("median < 10 ms: met; p95 < 1 ms: MISSED"))
    }
}
