import AutoFillProtocol
import BrokerTestSupport
import ClockTestSupport
import KeywaySystem
import Synchronization
import Testing

@testable import AutoFillBroker

/// What is remembered of whether the person can be verified.
@Suite(.timeLimit(.minutes(5))) struct VerificationProspectTests {
    /// Counts how often it is asked, and answers when it may.
    private final class CountingVerifier: PersonVerifier {
        let isAvailable = Mutex(true)
        let isHeld = Mutex(false)
        let count = Mutex(0)

        func methods() async -> [VerificationMethodState] {
            let isAvailable = isAvailable.withLock { $0 }
            count.withLock { $0 += 1 }
            while isHeld.withLock({ $0 }) { await Task.yield() }
            return [VerificationMethodState(method: .pin, isAvailable: isAvailable)]
        }

        func outlookForKeyway() async -> VerificationOutlook { .notSetUp }

        func verify(
            _ subject: VerificationSubject, through presenter: any PersonPresenter
        ) async throws(ProtocolError) -> VerificationMethod { .pin }
    }

    private let verifier = CountingVerifier()
    private let clock = ManualClock()
    private let prospect: VerificationProspect

    init() {
        prospect = VerificationProspect(verifier: verifier, clock: clock)
    }

    private var looks: Int { verifier.count.withLock { $0 } }

    @Test func aGoodAnswerCountsAsLongAsTheFillThatItWasFoundAt() async {
        #expect(await prospect.isGood())
        verifier.isAvailable.withLock { $0 = false }
        clock.advance(by: VerificationProspect.lifetime - .milliseconds(1))
        #expect(await prospect.isGood())
        #expect(looks == 1)
        clock.advance(by: .milliseconds(1))
        #expect(await !prospect.isGood())
        #expect(looks == 2)
    }

    @Test func thatThereIsNoMethodIsLookedAtAnewEachTime() async {
        verifier.isAvailable.withLock { $0 = false }
        #expect(await !prospect.isGood())
        verifier.isAvailable.withLock { $0 = true }
        #expect(await prospect.isGood())
        #expect(looks == 2)
    }

    @Test func whatWasForgottenIsLookedAtAnew() async {
        #expect(await prospect.isGood())
        prospect.forget()
        verifier.isAvailable.withLock { $0 = false }
        #expect(await !prospect.isGood())
    }

    @Test func severalAtATimeLookOnce() async throws {
        verifier.isHeld.withLock { $0 = true }
        async let first = prospect.isGood()
        async let second = prospect.isGood()
        try await eventually { looks == 1 }
        verifier.isHeld.withLock { $0 = false }
        #expect(await [first, second] == [true, true])
        #expect(looks == 1)
    }

    @Test func whatIsFoundWhileItIsForgottenDoesNotCount() async throws {
        verifier.isHeld.withLock { $0 = true }
        async let early = prospect.isGood()
        try await eventually { looks == 1 }
        prospect.forget()
        verifier.isAvailable.withLock { $0 = false }
        verifier.isHeld.withLock { $0 = false }
        #expect(await early)
        #expect(await !prospect.isGood())
    }
}
