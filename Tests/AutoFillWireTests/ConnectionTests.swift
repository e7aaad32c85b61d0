import Glibc
import ProtocolSamples
import Synchronization
import Testing

@testable import AutoFillProtocol
@testable import AutoFillWire
@testable import KeywaySystem

/// A request that answers with what it was given, a number of times.
enum Echo: RemoteMethod {
    typealias Result = Parameters

    struct Parameters: Codable, Sendable {
        var text = ""
        var secret: Attachment?
    }
    static let name = "echo"
    static let callers: Set<Role> = [.terminal]
}

/// A notification that is counted.
enum Tick: RemoteNotification {
    struct Parameters: Codable, Sendable { var number = 0 }
    static let name = "tick"
    static let callers: Set<Role> = [.terminal]
}

@Suite struct ConnectionTests {
    private func echoing() -> MethodTable {
        var methods = MethodTable()
        methods.on(Echo.self) { parameters, _ in parameters }
        return methods
    }

    private func error(_ answer: String) -> String? {
        answer.firstMatch(of: /"kind":"([A-Za-z]+)"/).map { String($0.1) }
    }

    @Test func answersARequest() async throws {
        let (client, _) = try connectedPair(server: echoing())
        #expect(try await client.call(Echo.self, .init(text: "grüße ✓")).text == "grüße ✓")
    }

    @Test func whoWatchesLearnsHowEachRequestEndsBeforeItIsAnswered() async throws {
        let ends = Mutex<[ProtocolError.Code?]>([])
        var methods = MethodTable()
        methods.on(Echo.self) { parameters, _ in
            switch parameters.text {
            case "refused": throw ProtocolError(.refused, "No.")
            case "other": throw CancellationError()
            default: return parameters
            }
        }
        methods.watchAll { name, _, error in
            #expect(name == Echo.name)
            ends.withLock { $0.append(error?.code) }
        }
        let (client, _) = try connectedPair(server: methods)
        _ = try await client.call(Echo.self, .init(text: "x"))
        #expect(ends.withLock { $0 } == [nil])
        for text in ["refused", "other"] { _ = try? await client.call(Echo.self, .init(text: text)) }
        #expect(ends.withLock { $0 } == [nil, .refused, .internalError])
    }

    @Test func carriesASecretBesideTheFrameAndNotInIt() async throws {
        let (client, raw) = try RawPeer.pair(peer: .known(.broker))
        let call = Task {
            try await client.call(Echo.self, .init(text: "x", secret: Attachment(try sealed("hunter2"))))
        }
        let frame = try await raw.receive()
        #expect(!frame.contains("hunter2"))
        #expect(frame.contains(#""secret":{"descriptor":0}"#))
        call.cancel()
    }

    @Test func returnsTheSecretThatWasSent() async throws {
        let (client, _) = try connectedPair(server: echoing())
        for text in ["one", "two"] {
            let answer = try await client.call(Echo.self, .init(secret: Attachment(try sealed(text))))
            #expect(try opened(#require(answer.secret).sealedMemory()) == text)
        }
    }

    @Test func leaksNoDescriptors() async throws {
        func count() -> Int {
            (3..<1024).count { fcntl(CInt($0), F_GETFD) >= 0 }
        }
        let (client, server) = try connectedPair(server: echoing())
        _ = try await client.call(Echo.self, .init(secret: Attachment(try sealed("warm"))))
        let before = count()
        for _ in 0..<200 { _ = try await client.call(Echo.self, .init(secret: Attachment(try sealed("secret")))) }
        // Other tests run at the same time and hold descriptors of their own, but not two hundred.
        #expect(count() < before + 150)
        server.close()
    }

    // MARK: Refusals

    @Test(arguments: [
        "", "{", "[]", "null", "3", #"{"jsonrpc":"1.0","id":1,"method":"echo","params":{}}"#,
        #"{"id":1,"method":"echo"}"#,
        #"{"jsonrpc":"2.0","id":{},"method":"echo","params":{}}"#, "\u{FF}", #"{"jsonrpc":"2.0"}"#,
        #"{"jsonrpc":"2.0","id":1.5,"method":"echo","params":{}}"#,
    ])
    func aMalformedFrameCostsAnErrorAndNothingElse(frame: String) async throws {
        let (_, raw) = try RawPeer.pair(methods: echoing())
        try raw.send(frame)
        #expect(error(try await raw.receive()) == "malformed")
        try raw.send(#"{"jsonrpc":"2.0","id":2,"method":"echo","params":{"text":"still here"}}"#)
        #expect(try await raw.receive().contains("still here"))
    }

    @Test func bytesThatAreNoUTF8CostAnError() async throws {
        let (_, raw) = try RawPeer.pair(methods: echoing())
        try raw.write(FrameWriter.frame([0x7B, 0x22, 0xFF, 0xFE, 0x22, 0x3A, 0x31, 0x7D]))
        #expect(error(try await raw.receive()) == "malformed")
    }

    @Test func aFrameOverTheLimitCostsAnErrorAndNothingElse() async throws {
        var limits = WireLimits()
        limits.frameBytes = 2000
        let (_, raw) = try RawPeer.pair(methods: echoing(), limits: limits)
        try raw.write(FrameWriter.frame([UInt8](repeating: 0x20, count: 5000)))
        #expect(error(try await raw.receive()) == "frameTooLarge")
        try raw.send(#"{"jsonrpc":"2.0","id":2,"method":"echo","params":{"text":"still here"}}"#)
        #expect(try await raw.receive().contains("still here"))
    }

    /// Two more than the brackets; the decoder has a limit of its own, which is far above ours.
    @Test(arguments: [31, 100_000]) func nestingOverTheLimitIsRefusedBeforeItIsRead(brackets: Int) async throws {
        let (_, raw) = try RawPeer.pair(methods: echoing())
        let deep = String(repeating: "[", count: brackets) + String(repeating: "]", count: brackets)
        try raw.send(#"{"jsonrpc":"2.0","id":1,"method":"echo","params":{"text":\#(deep)}}"#)
        #expect(error(try await raw.receive()) == "malformed")
    }

    @Test(arguments: [
        #"{}"#, #"{"text":3}"#, #"{"text":"a","secret":{"descriptor":0}}"#, #"{"text":"a","secret":{"descriptor":-1}}"#,
    ])
    func parametersOfTheWrongShapeAreNamed(parameters: String) async throws {
        let (_, raw) = try RawPeer.pair(methods: echoing())
        try raw.send(#"{"jsonrpc":"2.0","id":1,"method":"echo","params":\#(parameters)}"#)
        #expect(error(try await raw.receive()) == "invalidParameters")
    }

    @Test func aFrameThatNamesDescriptorsItDoesNotBringIsRefused() async throws {
        let (_, raw) = try RawPeer.pair(methods: echoing())
        try raw.send(#"{"jsonrpc":"2.0","id":1,"method":"echo","params":{"text":""},"descriptors":1}"#)
        #expect(error(try await raw.receive()) == "malformed")
        try raw.send(#"{"jsonrpc":"2.0","id":1,"method":"echo","params":{"text":""},"descriptors":-1}"#)
        #expect(error(try await raw.receive()) == "malformed")
    }

    @Test func aFrameClaimsNoMoreDescriptorsThanOneFrameMay() async throws {
        let (_, raw) = try RawPeer.pair(methods: echoing())
        let memory = try sealed("many")
        let frame = FrameWriter.frame(
            Array(#"{"jsonrpc":"2.0","id":1,"method":"echo","params":{"text":""},"descriptors":65}"#.utf8))
        try raw.write(Array(frame[..<1]), descriptors: [CInt](repeating: memory.descriptor.rawValue, count: 60))
        try raw.write(Array(frame[1...]), descriptors: [CInt](repeating: memory.descriptor.rawValue, count: 5))
        #expect(error(try await raw.receive()) == "malformed")
        try raw.send(#"{"jsonrpc":"2.0","id":2,"method":"echo","params":{"text":"still here"}}"#)
        #expect(try await raw.receive().contains("still here"))
    }

    /// Frames that come to nothing, with the descriptors beside them.
    @Test(arguments: [
        "", "{", #"{"jsonrpc":"2.0","id":1,"method":"echo","params":{"text":""},"descriptors":3}"#,
        String(repeating: " ", count: 3000),
    ])
    func descriptorsOfAFrameThatComesToNothingAreClosedAndGoToNoOther(frame: String) async throws {
        var limits = WireLimits()
        limits.frameBytes = 2000
        let (_, raw) = try RawPeer.pair(methods: echoing(), limits: limits)
        var pipe: [CInt] = [-1, -1]
        try SystemCall.check("pipe") { Glibc.pipe(&pipe) }
        let reader = OwnedDescriptor(pipe[0])
        do {
            let writer = OwnedDescriptor(pipe[1])
            try raw.send(frame, descriptors: [writer.rawValue])
        }
        let answer = try await raw.receive()
        #expect(["malformed", "frameTooLarge"].contains(error(answer)))
        let secret = try sealed("mine")
        try raw.send(
            #"{"jsonrpc":"2.0","id":2,"method":"echo","params":{"text":"","secret":{"descriptor":0}},"descriptors":1}"#,
            descriptors: [secret.descriptor.rawValue])
        #expect(try await raw.receive().contains(#""id":2"#))
        // The pipe has no other writer any more: its end is there, and not only nothing to read.
        var ready = pollfd(fd: reader.rawValue, events: Int16(POLLIN), revents: 0)
        #expect(poll(&ready, 1, 0) == 1)
    }

    @Test func descriptorsThatNobodyClaimsEndTheConversation() async throws {
        let (_, raw) = try RawPeer.pair(methods: echoing())
        let memory = try sealed("flood")
        let many = [CInt](repeating: memory.descriptor.rawValue, count: 60)
        for _ in 0..<3 { try raw.write([0], descriptors: many) }
        #expect(try await raw.seesEnd())
    }

    @Test func anUnknownMethodIsSaidSo() async throws {
        let (_, raw) = try RawPeer.pair(methods: echoing())
        try raw.send(#"{"jsonrpc":"2.0","id":1,"method":"launch","params":{}}"#)
        let answer = try await raw.receive()
        #expect(error(answer) == "unknownMethod")
        #expect(answer.contains("-32601"))
    }

    @Test func aRoleMayCallItsOwnMethodsOnly() async throws {
        let (client, _) = try connectedPair(server: echoing(), role: .browser)
        await #expect(throws: ProtocolError(.notAllowed, "")) { try await client.call(Echo.self, .init()) }
    }

    @Test func anUnknownNotificationIsDropped() async throws {
        let (client, _) = try connectedPair(server: echoing())
        client.notify(Tick.self, .init(number: 1))
        #expect(try await client.call(Echo.self, .init(text: "after")).text == "after")
    }

    @Test func moreRequestsInFlightThanAllowedAreRefused() async throws {
        var limits = WireLimits()
        limits.requestsInFlight = 3
        var methods = echoing()
        methods.on(BrokerStatus.self) { _, _ in
            try await Task.sleep(for: .seconds(60))
            return BrokerStatus.sample.result
        }
        let (connection, raw) = try RawPeer.pair(methods: methods, limits: limits)
        for id in 1...4 { try raw.send(#"{"jsonrpc":"2.0","id":\#(id),"method":"status","params":{}}"#) }
        let refusal = try await raw.receive()
        #expect(error(refusal) == "tooManyRequests")
        #expect(refusal.contains(#""id":4"#))
        connection.close()
    }

    @Test func anIdThatIsStillInUseIsRefused() async throws {
        var methods = MethodTable()
        methods.on(BrokerStatus.self) { _, _ in
            try await Task.sleep(for: .seconds(60))
            return BrokerStatus.sample.result
        }
        let (connection, raw) = try RawPeer.pair(methods: methods)
        for _ in 1...2 { try raw.send(#"{"jsonrpc":"2.0","id":1,"method":"status","params":{}}"#) }
        #expect(error(try await raw.receive()) == "malformed")
        connection.close()
    }

    @Test func aPeerThatNeverReadsIsDropped() async throws {
        var limits = WireLimits()
        limits.waitingBytes = 100_000
        let (connection, raw) = try RawPeer.pair(peer: .known(.broker), limits: limits)
        for number in 0..<100_000 where !connection.isClosed { connection.notify(Tick.self, .init(number: number)) }
        #expect(connection.isClosed)
        _ = raw
    }

    @Test func anAnswerOverTheLimitBecomesAnError() async throws {
        var methods = MethodTable()
        methods.on(Echo.self) { _, _ in .init(text: String(repeating: "x", count: 2 << 20)) }
        let (client, _) = try connectedPair(server: methods)
        await #expect(throws: ProtocolError(.frameTooLarge, "")) { try await client.call(Echo.self, .init()) }
    }

    @Test func aRequestOverTheLimitIsNotSent() async throws {
        let (client, _) = try connectedPair(server: echoing())
        let large = Echo.Parameters(text: String(repeating: "x", count: 2 << 20))
        await #expect(throws: ProtocolError(.frameTooLarge, "")) { try await client.call(Echo.self, large) }
        #expect(try await client.call(Echo.self, .init(text: "still here")).text == "still here")
    }

    @Test func aMessageWithMoreSecretsThanOneFrameTakesIsNotSent() async throws {
        var limits = WireLimits()
        limits.frameDescriptors = 0
        let (connection, raw) = try RawPeer.pair(peer: .known(.broker), limits: limits)
        await #expect(throws: ProtocolError(.frameTooLarge, "")) {
            try await connection.call(Echo.self, .init(secret: Attachment(try sealed("one too many"))))
        }
        #expect(!connection.isClosed)
        #expect(connection.notify(Tick.self, .init(number: 7)))
        #expect(try await raw.receive().contains("7"))
    }

    @Test func aNotificationOverTheLimitIsNotSent() async throws {
        var limits = WireLimits()
        limits.frameBytes = 60
        let (connection, raw) = try RawPeer.pair(peer: .known(.broker), limits: limits)
        #expect(!connection.notify(Tick.self, .init(number: .max)))
        #expect(connection.notify(Tick.self, .init(number: 7)))
        #expect(try await raw.receive().contains("7"))
    }

    // MARK: Order and the end

    @Test func notificationsArriveInOrder() async throws {
        let seen = Mutex<[Int]>([])
        var methods = echoing()
        methods.on(Tick.self) { tick, _ in seen.withLock { $0.append(tick.number) } }
        let (client, _) = try connectedPair(server: methods)
        for number in 0..<1000 { client.notify(Tick.self, .init(number: number)) }
        _ = try await client.call(Echo.self, .init())
        #expect(seen.withLock { $0 } == Array(0..<1000))
    }

    @Test func anAnswerThatComesTwiceIsDropped() async throws {
        let (client, raw) = try RawPeer.pair(peer: .known(.broker))
        async let first = client.call(Echo.self, .init())
        _ = try await raw.receive()
        try raw.send(#"{"jsonrpc":"2.0","id":1,"result":{"text":"once"}}"#)
        #expect(try await first.text == "once")
        try raw.send(#"{"jsonrpc":"2.0","id":1,"result":{"text":"twice"}}"#)
        try raw.send(#"{"jsonrpc":"2.0","id":99,"result":{"text":"foreign"}}"#)
        async let second = client.call(Echo.self, .init())
        _ = try await raw.receive()
        try raw.send(#"{"jsonrpc":"2.0","id":2,"result":{"text":"right"}}"#)
        #expect(try await second.text == "right")
    }

    @Test func whatWaitsFailsWhenThePeerGoes() async throws {
        let (one, other) = try LocalSocket.pair()
        let client = Connection(descriptor: one, peer: .known(.broker))
        client.start()
        let raw = RawPeer(other)
        let call = Task { try await client.call(Echo.self, .init()) }
        _ = try await raw.receive()
        shutdown(other.rawValue, CInt(SHUT_RDWR))
        await #expect(throws: ProtocolError(.connectionClosed, "")) { try await call.value }
        await #expect(throws: ProtocolError(.connectionClosed, "")) { try await client.call(Echo.self, .init()) }
    }

    @Test func aPeerThatSendsAndGoesAtOnceIsHeardAndMissed() async throws {
        let (one, other) = try LocalSocket.pair()
        try RawPeer(other).send(#"{"jsonrpc":"2.0","method":"tick","params":{"number":1}}"#)
        shutdown(other.rawValue, CInt(SHUT_RDWR))
        let (ends, reportEnd) = AsyncStream.makeStream(of: Void.self)
        let ticks = Mutex(0)
        var methods = MethodTable()
        methods.on(Tick.self) { _, _ in ticks.withLock { $0 += 1 } }
        let connection = Connection(descriptor: one, peer: .known(.terminal), methods: methods)
        connection.onClose { reportEnd.yield() }
        connection.start()
        for await _ in ends { break }
        #expect(ticks.withLock { $0 } == 1)
    }

    @Test func whatRunsForAPeerIsCancelledWhenItGoes() async throws {
        let (started, reportStart) = AsyncStream.makeStream(of: Void.self)
        let (cancelled, reportCancel) = AsyncStream.makeStream(of: Void.self)
        var methods = MethodTable()
        methods.on(Echo.self) { parameters, _ in
            await withTaskCancellationHandler {
                reportStart.yield()
                try? await Task.sleep(for: .seconds(60))
            } onCancel: {
                reportCancel.yield()
            }
            return parameters
        }
        let (client, _) = try connectedPair(server: methods)
        let call = Task { try await client.call(Echo.self, .init()) }
        for await _ in started { break }
        client.close()
        for await _ in cancelled { break }
        await #expect(throws: ProtocolError(.connectionClosed, "")) { try await call.value }
    }

    @Test func aCancelledRequestIsCancelledAtThePeer() async throws {
        let (started, reportStart) = AsyncStream.makeStream(of: Void.self)
        let (ended, reportEnd) = AsyncStream.makeStream(of: Bool.self)
        var methods = echoing()
        methods.on(BrokerStatus.self) { _, _ in
            reportStart.yield()
            try? await Task.sleep(for: .seconds(60))
            reportEnd.yield(Task.isCancelled)
            throw CancellationError()
        }
        let (client, _) = try connectedPair(server: methods)
        let call = Task { try await client.call(BrokerStatus.self, Nothing()) }
        for await _ in started { break }
        call.cancel()
        await #expect(throws: ProtocolError(.cancelled, "")) { try await call.value }
        for await wasCancelled in ended {
            #expect(wasCancelled)
            break
        }
        #expect(!client.isClosed)
    }

    @Test func closingTellsEveryoneOnce() async throws {
        let (connection, raw) = try RawPeer.pair()
        let count = Mutex(0)
        connection.onClose { count.withLock { $0 += 1 } }
        connection.close()
        connection.close()
        connection.onClose { count.withLock { $0 += 10 } }
        #expect(count.withLock { $0 } == 11)
        #expect(try await raw.seesEnd())
    }
}
