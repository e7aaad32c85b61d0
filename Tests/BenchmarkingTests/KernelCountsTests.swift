import Glibc
import Testing

@testable import Benchmarking

@Suite struct KernelCountsTests {
    @Test func aReportIsReadLineByLine() {
        let report = """
            # started on Thu Nov 26

            1200,,raw_syscalls:sys_enter,1000,100.00,,
            40,,context-switches,1000,100.00,,
            """
        #expect(KernelCounts.counts(in: report) == [1200, 40])
    }

    @Test(arguments: ["<not counted>,,context-switches,0,100.00,,", "<not supported>,,page-faults,0,100.00,,"])
    func whatWasNotCountedIsNoNumber(line: String) {
        #expect(KernelCounts.counts(in: "12,,raw_syscalls:sys_enter,1,100.00,,\n" + line) == nil)
    }

    @Test func aTouchedPageIsAFault() {
        let before = KernelCounts.faults(of: getpid())
        let (size, count) = (1 << 22, 1 << 10)
        let room = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let room, room != MAP_FAILED else { return #expect(Bool(false), "no memory") }
        madvise(room, size, MADV_NOHUGEPAGE)
        for page in 0..<count { room.storeBytes(of: 1, toByteOffset: page * 4096, as: UInt8.self) }
        munmap(room, size)
        #expect(KernelCounts.faults(of: getpid()) - before >= count)
    }

    @Test func whatHasEndedHasNone() { #expect(KernelCounts.faults(of: 0) == 0) }
}
