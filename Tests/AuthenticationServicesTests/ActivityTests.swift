import AutoFillProtocol
import AutoFillWire
import Foundation
import KeywaySystem
import Testing

@testable import AuthenticationServices

/// An application that the system started for an activity.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct ActivityTests {
    /// A controller that does what a test says.
    private final class Scripted: KeywayActivityController {
        var body: (@MainActor (Scripted, NSUserActivity) async throws -> KeywayExchangeReport)?
        var wasCancelled = false
        var events: [InterfaceEvent] = []

        override func application(continue userActivity: NSUserActivity) async throws -> KeywayExchangeReport {
            guard let body else { return try await super.application(continue: userActivity) }
            return try await body(self, userActivity)
        }

        override func interface(didReceive event: InterfaceEvent) {
            events.append(event)
        }
    }

    /// The broker's side.
    @MainActor
    private final class Stage {
        let controller = Scripted()
        let broker: Connection
        let shown: AsyncStream<ExtensionPresent.Parameters>
        private let app: Connection

        init(
            _ body: (@MainActor (Scripted, NSUserActivity) async throws -> KeywayExchangeReport)?
        ) async throws {
            controller.body = body
            let (ours, theirs) = try LocalSocket.pair()
            let (shown, sink) = AsyncStream.makeStream(of: ExtensionPresent.Parameters.self)
            self.shown = shown
            var methods = MethodTable()
            methods.on(ExtensionPresent.self) { parameters, _ in sink.yield(parameters) }
            methods.on(ConnectService.self) { _, _ in throw ProtocolError(.notFound, "no service") }
            let greeting = Greeting(accepts: [.providerApplication], name: "keywayd")
            broker = Connection(descriptor: ours, peer: .unknown(greeting), methods: methods)
            broker.start()
            let link = BrokerLink()
            let server = ActivityServer(broker: link) { [controller] in controller }
            app = Connection(descriptor: theirs, peer: .known(.broker), methods: server.methods)
            app.start()
            link.greet(over: app, as: .providerApplication)
            _ = try await link.connection()
        }

        deinit {
            broker.close()
            app.close()
        }

        nonisolated func proceed(
            type: String = ASCredentialExchangeActivity, token: UUID? = nil
        ) async throws -> ContinueActivity.Result {
            try await broker.call(ContinueActivity.self, .init(type: type, token: token?.uuidString))
        }
    }

    private static let message = ProviderInterface.message(
        InterfaceMessage(title: "Import?", text: "All of it.", actions: [.init(id: "yes", title: "Import")]))

    @Test func theActivityBringsItsTypeAndItsToken() async throws {
        let token = UUID()
        let stage = try await Stage { _, activity in
            #expect(activity.activityType == ASCredentialExchangeActivity)
            #expect(activity.userInfo?[ASCredentialImportToken] as? UUID == token)
            return KeywayExchangeReport(items: 2, notices: [.init(item: "One", reason: "No place.")])
        }
        guard case .finished(let report?) = try await stage.proceed(token: token) else {
            Issue.record("not finished")
            return
        }
        let text = try report.sealedMemory().withUnsafeBytes { Data($0) }
        #expect(try JSONDecoder().decode(KeywayExchangeReport.self, from: text).items == 2)
    }

    @Test func withoutATokenThereIsNone() async throws {
        let stage = try await Stage { _, activity in
            #expect(activity.userInfo?[ASCredentialImportToken] == nil)
            return KeywayExchangeReport()
        }
        _ = try await stage.proceed(type: KeywayCredentialExportActivity)
    }

    @Test func whoeverBacksOutIsToldApart() async throws {
        for error in [
            CancellationError(), ASExtensionError(.userCanceled), ASAuthorizationError(.canceled),
        ] as [any Error & Sendable] {
            let stage = try await Stage { _, _ in throw error }
            #expect(try await stage.proceed() == .cancelled)
        }
    }

    @Test func anyOtherErrorIsAFailureWithItsText() async throws {
        let stage = try await Stage { _, _ in
            throw ASAuthorizationError(.failed, userInfo: [NSLocalizedDescriptionKey: "The disk is full."])
        }
        #expect(try await stage.proceed() == .failed(reason: "The disk is full."))
    }

    @Test func anActivityThatNobodyContinuesHasFailed() async throws {
        let stage = try await Stage(nil)
        #expect(try await stage.proceed() == .failed(reason: "The app continues no such activity."))
    }

    @Test func whatIsShownIsAnsweredWhereItIsShown() async throws {
        let (answers, sink) = AsyncStream.makeStream(of: Void.self)
        let stage = try await Stage { controller, _ in
            controller.interface = Self.message
            for await _ in answers { break }
            return KeywayExchangeReport()
        }
        let proceeding = Task { try await stage.proceed() }
        let shown = try #require(await first(of: stage.shown))
        #expect(shown.interface == Self.message)
        stage.broker.notify(ExtensionEvent.self, .init(request: shown.request, event: .activated(action: "yes")))
        while stage.controller.events.isEmpty { await Task.yield() }
        sink.yield()
        #expect(try await proceeding.value != .cancelled)
    }

    @Test func whoClosesWhatIsShownEndsTheActivity() async throws {
        let stage = try await Stage { controller, _ in
            controller.interface = Self.message
            do { try await Task.sleep(for: .seconds(3600)) } catch { controller.wasCancelled = true }
            return KeywayExchangeReport()
        }
        let proceeding = Task { try await stage.proceed() }
        let shown = try #require(await first(of: stage.shown))
        stage.broker.notify(ExtensionEvent.self, .init(request: shown.request, event: .cancelled))
        #expect(try await proceeding.value == .cancelled)
        while !stage.controller.wasCancelled { await Task.yield() }
    }

    @Test func anActivityThatIsTakenBackIsCancelled() async throws {
        let (begun, sink) = AsyncStream.makeStream(of: Void.self)
        let stage = try await Stage { controller, _ in
            sink.yield()
            do { try await Task.sleep(for: .seconds(3600)) } catch { controller.wasCancelled = true }
            return KeywayExchangeReport()
        }
        let proceeding = Task { try await stage.proceed() }
        _ = await first(of: begun)
        proceeding.cancel()
        _ = await proceeding.result
        while !stage.controller.wasCancelled { await Task.yield() }
    }

    @Test func anAppContinuesOneActivityAtATime() async throws {
        let (begun, sink) = AsyncStream.makeStream(of: Void.self)
        let stage = try await Stage { _, _ in
            sink.yield()
            try await Task.sleep(for: .seconds(3600))
            return KeywayExchangeReport()
        }
        let one = Task { try await stage.proceed() }
        _ = await first(of: begun)
        await #expect(throws: ProtocolError(.busy, "")) { try await stage.proceed() }
        one.cancel()
        _ = await one.result
    }

    @Test func whatIsTooLargeToBeSeenEndsTheActivity() async throws {
        let stage = try await Stage { controller, _ in
            let rows = (0...ProviderInterface.maximumRows).map { InterfaceList.Row(id: "\($0)", title: "x") }
            controller.interface = .list(InterfaceList(title: "x", sections: [.init(rows: rows)]))
            try await Task.sleep(for: .seconds(3600))
            return KeywayExchangeReport()
        }
        guard case .failed = try await stage.proceed() else {
            Issue.record("it was taken")
            return
        }
    }
}

/// The first element.
private nonisolated func first<Element: Sendable>(of elements: AsyncStream<Element>) async -> Element? {
    await elements.first { _ in true }
}
