/// What many requests leave behind.
enum EnduranceRules {
    /// How much more memory may stand in RAM after many requests, in bytes.
    private static let growth = 8 << 20
    /// How many more descriptors may be open.
    private static let descriptors = 16

    static let all = [
        Rule(
            "memory", "The extension's memory does not grow with the number of requests (8 MiB in 10,000 at most).",
            why: "It is kept warm, perhaps for days.",
            remedy: "Keep nothing of a request; look for controllers and secrets that something still refers to."
        ) { (subject) throws(Objection) in
            let endurance = try await subject.endure()
            try expect(
                endurance.growth <= growth,
                "\(endurance.growth >> 10) KiB more after \(endurance.requests) requests")
        },
        Rule(
            "descriptors", "The extension's descriptors do not grow with the number of requests.",
            why: "There are a thousand; then nothing works any more.",
            remedy: "Close files, sockets and memory files."
        ) { (subject) throws(Objection) in
            let endurance = try await subject.endure()
            guard let more = endurance.descriptors else {
                throw .unchecked("the kernel does not let the kit look at its descriptors")
            }
            try expect(more <= descriptors, "\(more) more after \(endurance.requests) requests")
        },
    ]
}
