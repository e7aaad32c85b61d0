import Benchmarking
import Testing

@Suite struct SamplesTests {
    private static let medians: [([Double], Double)] = [
        ([], 0), ([7], 7), ([1, 3], 2), ([3, 1, 2], 2), ([4, 1, 3, 2], 2.5), ([5, 5, 5, 100], 5),
    ]

    @Test(arguments: medians)
    func medianIsTheMiddle(times: [Double], median: Double) {
        #expect(Samples(times).median == median)
    }

    private static let percentiles: [(runs: Int, percentile: Double)] = [
        (0, 0), (1, 1), (10, 10), (20, 19), (100, 95), (101, 96),
    ]

    @Test(arguments: percentiles)
    func percentileIsTheNearestRank(runs: Int, percentile: Double) {
        let times = (0..<runs).map { Double(runs - $0) }
        #expect(Samples(times).percentile95 == percentile)
    }

    @Test func durationsAreInMilliseconds() {
        #expect(Duration.seconds(2).milliseconds == 2000)
        #expect(Duration.microseconds(1500).milliseconds == 1.5)
    }
}
