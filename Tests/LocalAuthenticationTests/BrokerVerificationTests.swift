import AutoFillProtocol
import AutoFillWire
import Foundation
import KeywaySystem
import Synchronization
import Testing
@testable import LocalAuthentication

/// `LAContext` in the extension of a provider: what the broker says, in Apple's words.
@Suite(.timeLimit(.minutes(5))) struct BrokerVerificationTests {
    /// A broker that answers `person.verify` as the test says, and a context that asks it.
    private final class Stage: Sendable {
        let broker: Connection
        let ours: Connection

        init(
            methods: [VerificationMethodState], isWanted: Bool? = nil,
            _ verify: @escaping @Sendable () async throws -> VerificationMethod
        ) async throws {
            let (one, other) = try LocalSocket.pair()
            var table = MethodTable()
            let box = Box()
            table.on(VerifyPerson.self) { parameters, _ in
                box.note(parameters)
                let counted = methods.filter { parameters.policy == .any || $0.method == .fingerprint }
                guard parameters.reason != nil else { return .init(methods: counted, method: nil, isWanted: isWanted) }
                return .init(methods: counted, method: try await verify())
            }
            broker = Connection(
                descriptor: one, peer: .unknown(Greeting(accepts: [.providerExtension], name: "broker")), methods: table
            )
            ours = Connection(descriptor: other, peer: .known(.broker))
            self.box = box
            broker.start()
            ours.start()
            try await ours.greet(as: .providerExtension, name: "test")
        }

        final class Box: Sendable {
            let seen = Mutex<[VerifyPerson.Parameters]>([])
            func note(_ parameters: VerifyPerson.Parameters) { seen.withLock { $0.append(parameters) } }
        }

        let box: Box
        var context: LAContext {
            LAContext(verification: BrokerVerification { [ours] in { ours } })
        }
    }

    private static let pin = VerificationMethodState(method: .pin, isAvailable: true)
    private static let finger = VerificationMethodState(method: .fingerprint, isAvailable: true)
    private static func finger(_ obstacle: VerificationMethodState.Obstacle?) -> VerificationMethodState {
        VerificationMethodState(method: .fingerprint, isAvailable: false, detail: "not now", obstacle: obstacle)
    }

    /// What `body` returns, which waits for the broker of the test: never on a thread that the broker needs.
    private static func blocking<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            Thread { continuation.resume(returning: body()) }.start()
        }
    }

    private static func evaluate(
        _ context: LAContext, _ policy: LAPolicy = .deviceOwnerAuthentication
    ) async -> LAError.Code? {
        do {
            try await context.evaluatePolicy(policy, localizedReason: "to show a password")
            return nil
        } catch {
            return (error as? LAError)?.code
        }
    }

    @Test(
        arguments: [
            ([pin], LAPolicy.deviceOwnerAuthentication, nil), ([finger], .deviceOwnerAuthenticationWithBiometrics, nil),
            ([], .deviceOwnerAuthentication, .passcodeNotSet),
            ([pin, finger(nil)], .deviceOwnerAuthenticationWithBiometrics, .biometryNotAvailable),
            ([finger(.missing)], .deviceOwnerAuthenticationWithBiometrics, .biometryNotAvailable),
            ([finger(.notSetUp)], .deviceOwnerAuthenticationWithBiometrics, .biometryNotEnrolled),
            ([finger(.lockedOut)], .deviceOwnerAuthenticationWithBiometrics, .biometryLockout),
            ([finger], .deviceOwnerAuthenticationWithCompanion, .companionNotAvailable),
            ([finger], .deviceOwnerAuthenticationWithBiometricsOrCompanion, nil),
        ] as [([VerificationMethodState], LAPolicy, LAError.Code?)])
    func saysWhatCanBeEvaluated(
        methods: [VerificationMethodState], policy: LAPolicy, obstacle: LAError.Code?
    ) async throws {
        let stage = try await Stage(methods: methods) { .pin }
        let context = stage.context
        let (isPossible, code) = await Self.blocking {
            var reason: NSError?
            return (context.canEvaluatePolicy(policy, error: &reason), reason?.code)
        }
        #expect(isPossible == (obstacle == nil))
        #expect(code == obstacle?.rawValue)
        #expect(stage.box.seen.withLock { $0.allSatisfy { $0.reason == nil } }, "nobody was asked")
    }

    @Test(arguments: [
        (ProtocolError.Code.cancelled, LAError.Code.userCancel), (.notVerified, .authenticationFailed),
        (.locked, .systemCancel), (.interactionRequired, .notInteractive), (.internalError, .authenticationFailed),
    ])
    func whatTheBrokerSaysHasItsCode(said: ProtocolError.Code, code: LAError.Code) async throws {
        let stage = try await Stage(methods: [Self.pin]) { throw ProtocolError(said, "no") }
        #expect(await Self.evaluate(stage.context) == code)
    }

    @Test func whoeverHasNothingToBeVerifiedWithIsToldSo() async throws {
        let stage = try await Stage(methods: [Self.finger(.notSetUp)]) { throw ProtocolError(.notVerified, "no") }
        #expect(await Self.evaluate(stage.context) == .passcodeNotSet)
        #expect(
            await Self.evaluate(stage.context, .deviceOwnerAuthenticationWithBiometrics) == .biometryNotEnrolled)
    }

    @Test func theReasonAndThePolicyReachTheBroker() async throws {
        let stage = try await Stage(methods: [Self.finger]) { .fingerprint }
        #expect(await Self.evaluate(stage.context, .deviceOwnerAuthenticationWithBiometrics) == nil)
        let asked = stage.box.seen.withLock { $0 }
        #expect(asked == [.init(policy: .biometrics, reason: "to show a password")])
    }

    @Test(arguments: [([finger], LABiometryType.touchID), ([finger(.notSetUp)], .touchID), ([finger(nil)], .none)])
    func knowsWhetherThereIsAReader(methods: [VerificationMethodState], type: LABiometryType) async throws {
        let stage = try await Stage(methods: methods) { .fingerprint }
        let context = stage.context
        #expect(await Self.blocking { context.biometryType } == type)
    }

    @Test func invalidatingEndsWhatIsAsked() async throws {
        let stage = try await Stage(methods: [Self.pin]) {
            try await Task.sleep(for: .seconds(600))
            return .pin
        }
        let context = stage.context
        let running = Task { await Self.evaluate(context) }
        while stage.box.seen.withLock({ $0.isEmpty }) { try await Task.sleep(for: .milliseconds(1)) }
        context.invalidate()
        #expect(await running.value == .appCancel)
        #expect(await Self.evaluate(context) == .invalidContext)
    }

    @Test func aBrokerThatIsGoneVerifiesNobody() async throws {
        let stage = try await Stage(methods: [Self.pin]) { .pin }
        stage.broker.close()
        #expect(await Self.evaluate(stage.context) == .systemCancel)
        let context = stage.context
        #expect(await !Self.blocking { context.canEvaluatePolicy(.deviceOwnerAuthentication, error: nil) })
    }

    @Test(arguments: [true, false, nil])
    func saysWhetherTheSettingsWantIt(isWanted: Bool?) async throws {
        let stage = try await Stage(methods: [Self.pin], isWanted: isWanted) { .pin }
        #expect(await stage.context.isVerificationWanted == (isWanted == true))
    }
}
