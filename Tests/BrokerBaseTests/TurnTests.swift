import BrokerTestSupport
import Foundation
import KeywaySystem
import Testing

@testable import BrokerBase

@Suite struct TurnTests {
    @Test func cancelledWaiterLeavesTheQueue() async throws {
        let turn = Turn()
        let (entered, report) = AsyncStream.makeStream(of: Void.self)
        let first = Task {
            try await turn.run { () async throws(ProtocolError) in
                report.yield()
                try? await Task.sleep(for: .seconds(600))
            }
        }
        for await _ in entered { break }
        let second = Task { await failure { try await turn.run { () async throws(ProtocolError) in } } }
        second.cancel()
        #expect(await second.value?.code == .cancelled)
        first.cancel()
        try await first.value
        try await turn.run { () async throws(ProtocolError) in }
    }

    @Test func oneAtATime() async throws {
        let turn = Turn()
        let inside = ManualCounter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    try await turn.run { () async throws(ProtocolError) in
                        await inside.enter()
                        await Task.yield()
                        await inside.leave()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(await inside.most == 1)
    }

    private actor ManualCounter {
        private var count = 0
        private(set) var most = 0

        func enter() {
            count += 1
            most = max(most, count)
        }

        func leave() { count -= 1 }
    }
}
