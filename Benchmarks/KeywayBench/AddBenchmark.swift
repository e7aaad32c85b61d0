import AutoFillWire
import Benchmarking
import PasswordsProtocol

extension Benchmark {
    /// A new item, until it would survive a power cut; beside GNOME's keyring, both as the person's program and through
    /// an open conversation.
    static let addDurable = Benchmark(name: "add-durable", sizes: [1_000, 10_000]) { size, context in
        let fixture = try await context.fixtures.fixture(size)
        let service = try await fixture.open()
        defer { service.close() }
        var call = BenchmarkRow(
            name: "add-durable", size: size, samples: try await addThroughConversation(service),
            peakMiB: fixture.session.peakMiB)
        call.goals = [.init("median < 5 ms", call.samples.median < 5)]
        var program = BenchmarkRow(
            name: "add-durable-program", size: size, samples: try addThroughProgram(fixture.session),
            peakMiB: fixture.session.peakMiB)
        if let peer = try GNOMEKeyring.measure(fixture, runs: 15) {
            call.peer = peer
            program.peer = peer
        }
        return [call, program, try DiskFlush.row(in: fixture.session.folder, size: size)]
    }

    private static func addThroughConversation(_ service: Connection) async throws -> Samples {
        try await Timing.prepared(runs: 100) { run in
            var item = ItemChange()
            item.title = "Added \(run)"
            item.user = "added\(run)@mail.example"
            item.addresses = ["https://added\(run).example/"]
            item.password = Attachment(try SampleItems.secret("added-\(run)-abcdefghij"))
            let parameters = AddItem.Parameters(item: item)
            return { _ = try await service.call(AddItem.self, parameters) }
        }
    }

    /// The terminal session that unlocked is that of this process; programs that it starts belong to it.
    private static func addThroughProgram(_ session: Session) throws -> Samples {
        var number = 0
        return try Timing.programs(30) {
            number += 1
            return try session.keyway.run(
                ["passwords", "add", "Typed \(number)", "--user", "typed", "--address", "https://typed.example/"],
                input: Array("typed-\(number)-abcdefghij\n".utf8))
        }
    }
}
