import AutoFillProtocol
import AutoFillWire
import FoundationEssentials
import Glibc
import KeywaySystem
import Synchronization

/// One running extension, and the kit in the place of the broker at the other end of its socket.
final class StartedExtension: Sendable {
    private struct State {
        var people: [Int: Person] = [:]
        var strayInterfaces = 0
        var unreadableInterfaces = 0
        var violations: [String] = []
        var earlyMethods: [String] = []
        var lastRequest = 0
        var answered: Set<Int> = []
    }

    let process: ObservedProcess
    let connection: Connection
    private let state: Mutex<State>

    /// An extension that runs, and the kit's end of its socket.
    ///
    /// - Parameter frames: is called with every frame that comes from it.
    init(
        process: ObservedProcess, socket: OwnedDescriptor, methods: MethodTable,
        frames: @escaping @Sendable ([UInt8]) -> Void
    ) {
        let relay = Relay()
        var methods = methods
        methods.on(TolerantPresent.self) { parameters, _ in relay.target.withLock { $0 }?.present(parameters) }
        self.process = process
        state = Mutex(State())
        connection = Connection(
            descriptor: socket,
            peer: .unknown(
                Greeting(accepts: [.providerExtension], name: "keyway-provider-kit \(ProtocolVersion.release)")),
            methods: methods)
        relay.target.withLock { $0 = self }
        connection.onFrame { [weak self] frame in
            self?.note(frame)
            frames(frame)
        }
        connection.onViolation { [weak self] error in
            self?.state.withLock { $0.violations.append(error.message) }
        }
        connection.onClose { relay.target.withLock { $0 = nil } }
        connection.start()
    }

    /// What came that was no message.
    var violations: [String] { state.withLock { $0.violations } }
    /// What it called before its greeting was answered.
    var earlyMethods: [String] { state.withLock { $0.earlyMethods } }
    /// The people before the screen for the requests that run.
    var runningPeople: [Person] { state.withLock { Array($0.people.values) } }
    /// Interfaces for requests that did not run.
    var strayInterfaces: Int { state.withLock { $0.strayInterfaces } }
    /// Interfaces that could not be read.
    var unreadableInterfaces: Int { state.withLock { $0.unreadableInterfaces } }

    /// The number of the request that was made last.
    var lastRequest: Int { state.withLock { $0.lastRequest } }

    /// Whether an answer to the request `number` has come, of whatever kind.
    func hasAnswered(_ number: Int) -> Bool {
        state.withLock { $0.answered.contains(number) }
    }

    private func note(_ frame: [UInt8]) {
        guard let head = FrameHead(frame) else { return }
        if let method = head.method {
            guard connection.role == nil, method != Hello.name else { return }
            state.withLock { $0.earlyMethods.append(DisplayText.line(method)) }
        } else if let number = head.id {
            state.withLock { _ = $0.answered.insert(number) }
        }
    }

    /// Waits until it has said hello; whether it did.
    func hasGreeted(within limit: Duration) async -> Bool {
        await Waiting.until(limit) { self.connection.role != nil || self.connection.isClosed }
            && connection.role != nil
    }

    /// Makes one request, with `person` before the screen.
    func perform(
        _ request: PerformRequest.Request, _ person: Person = Person(.waits), within limit: Duration
    ) async -> Answer {
        let number = Mutex(0)
        let ending: Answer.Ending
        do throws(ProtocolError) {
            let result = try await answered(within: limit) {
                try await self.connection.call(PerformRequest.self, .init(request: request)) { id in
                    number.withLock { $0 = id }
                    self.state.withLock { state in
                        state.people[id] = person
                        state.lastRequest = id
                    }
                }
            }
            ending = .result(result)
        } catch {
            ending = await self.ending(of: error)
        }
        let id = number.withLock { $0 }
        state.withLock { _ = $0.people.removeValue(forKey: id) }
        return Answer(ending: ending, interfaces: person.seen, wasGivenUp: person.hasGivenUp)
    }

    private func ending(of error: ProtocolError) async -> Answer.Ending {
        switch error.code {
        case .timedOut: return .silence
        case .connectionClosed:
            _ = await process.hasEnded(within: .seconds(1))
            return .death(process.ending)
        default: return .error(error)
        }
    }

    /// Tells the extension that the person did something in the interface of the request `number`.
    func send(_ event: InterfaceEvent, to number: Int) {
        connection.notify(ExtensionEvent.self, .init(request: number, event: event))
    }

    private func present(_ parameters: TolerantPresent.Parameters) {
        guard let person = state.withLock({ $0.people[parameters.request] }) else {
            return state.withLock { $0.strayInterfaces += 1 }
        }
        guard let interface = parameters.interface else {
            return state.withLock { $0.unreadableInterfaces += 1 }
        }
        if let event = person.reaction(to: interface) { send(event, to: parameters.request) }
    }

    /// Lets go of it as the broker does; killed when it has not ended after two seconds. Whether it ended itself.
    @discardableResult
    func end() async -> Bool {
        connection.close()
        if await process.hasEnded(within: .seconds(2)) { return true }
        process.send(signal: SIGKILL)
        _ = await process.hasEnded(within: .seconds(5))
        return false
    }
}

/// Lets the methods, which must exist before the extension does, find it.
private final class Relay: Sendable {
    let target = Mutex<StartedExtension?>(nil)
}

/// ``ExtensionPresent``, where one that cannot be read still says which request it is about.
private enum TolerantPresent: RemoteNotification {
    struct Parameters: Codable, Sendable {
        let request: Int
        let interface: ProviderInterface?

        init(request: Int, interface: ProviderInterface?) {
            self.request = request
            self.interface = interface
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            request = try container.decode(Int.self, forKey: .request)
            interface = try? container.decode(ProviderInterface.self, forKey: .interface)
        }
    }

    static let name = ExtensionPresent.name
    static let callers = ExtensionPresent.callers
}

/// What tells a request from an answer.
private struct FrameHead: Decodable {
    let method: String?
    let id: Int?

    init?(_ frame: [UInt8]) {
        guard let head = try? JSONDecoder().decode(FrameHead.self, from: Data(frame)) else { return nil }
        self = head
    }
}
