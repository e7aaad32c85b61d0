import Testing

@testable import Benchmarking

@Suite struct SurroundingsTests {
    @Test func surroundingsAreReadFromTheFilesOfTheKernel() {
        #expect(Surroundings.load(in: "0.50 1.25 2.00 3/345 6789\n") == [0.5, 1.25, 2])
        #expect(
            Surroundings.processor(in: "processor\t: 0\nmodel name\t: Some  Maker @ 3.0GHz\nflags : x\n")
                == "Some Maker @ 3.0GHz")
        let line = "12 (a) b) S 1 12 12 0 -1 4194304 100 0 0 0 150 50 20 30 20 0 1 0"
        #expect(ProcessorTime.seconds(in: line, ticks: 100) == 2.5)
    }
}
