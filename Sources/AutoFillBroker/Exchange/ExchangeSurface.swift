import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import ProviderHosting
import Synchronization

/// Where the person sees an exchange: in a terminal that draws for them, or in windows of the system's.
struct ExchangeSurface: Sendable {
    let place: ClientPlace
    /// The request of the terminal that draws, or of whoever asks where windows are shown.
    var context: RequestContext
    /// Whether the terminal draws.
    let presents: Bool
    /// Called once, when the person is not needed any more: whether it came to an end that was wanted.
    var finish: @Sendable (Bool) -> Void = { _ in }

    /// Which app stands in the window now, where windows are shown.
    private let window = WindowInUse()

    /// Where the system's own questions are put.
    var presenter: any PersonPresenter { presents ? place.presenter(true, context) : place.windowPresenter }

    /// For whom the apps work, as far as their processes are kept apart by it.
    ///
    /// - Throws: ``ProtocolError`` with the code `refused` for a terminal whose session is not known.
    func caller() throws(ProtocolError) -> BundleProcesses.Caller {
        presents ? try place.caller(context) : .browser
    }

    /// Runs `body` with the place where the app of `bundle` shows its interface.
    func presenting<Result>(
        _ bundle: ProviderBundle, _ body: (InterfaceRelay?) async throws(ProtocolError) -> Result
    ) async throws(ProtocolError) -> Result {
        guard presents else {
            return try await place.inWindow(bundle) { relay throws(ProtocolError) in
                // One window is seen at a time: that of the app which waits for this one makes room.
                let former = window.use(relay)
                defer { window.use(former) }
                if let former { place.withdraw(former) }
                return try await body(relay)
            }
        }
        return try await place.presenting(true, bundle, nil, context, body)
    }

    /// Runs `body` as long as the person can see what comes of it: a terminal that goes away ends it, as closing a window
    /// does.
    ///
    /// - Throws: what `body` throws; ``ProtocolError`` with the code `cancelled`.
    func whileSeen<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws(ProtocolError) -> Result {
        do {
            guard presents else { return try await body() }
            let (closings, sink) = AsyncStream.makeStream(of: Void.self)
            context.connection.onClose { sink.finish() }
            return try await withThrowingTaskGroup(of: Result.self) { group in
                group.addTask { try await body() }
                group.addTask {
                    for await _ in closings {}
                    throw ProtocolError(.cancelled, "The terminal in which you were asked was closed.")
                }
                defer { group.cancelAll() }
                guard let first = try await group.next() else { throw CancellationError() }
                return first
            }
        } catch let error as ProtocolError {
            throw error
        } catch {
            throw ProtocolError(.cancelled, "The request was cancelled.")
        }
    }

    /// How the person is verified while the app of `bundle` works, where that asks for it.
    ///
    /// - Throws: ``ProtocolError`` with the code `refused` for a terminal whose session is not known.
    func verification(_ bundle: ProviderBundle) throws(ProtocolError) -> RequestVerification {
        guard presents else { return place.verificationInWindow(bundle, account: nil, context) }
        return try place.verification(true, bundle, nil, account: nil, context)
    }
}

/// What stands in the window for an exchange: the exporting app, or the importing one that it waits for.
private final class WindowInUse: Sendable {
    private let relay = Mutex<InterfaceRelay?>(nil)

    /// From now on it is `next`.
    ///
    /// - Returns: what it was.
    @discardableResult
    func use(_ next: InterfaceRelay?) -> InterfaceRelay? {
        relay.withLock { relay in
            defer { relay = next }
            return relay
        }
    }
}
