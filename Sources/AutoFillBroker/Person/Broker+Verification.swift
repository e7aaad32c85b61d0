import AutoFillProtocol
package import LoginMonitor

/// Who is at the keyboard, as far as the broker has to do with it.
extension Broker {
    /// Does what a change of the login session asks for.
    package func handle(_ event: LoginEvent) async {
        switch event {
        case .sessionLocked, .willSleep:
            verifier.interrupt()
            sheets?.interrupt()
            grace.forgetAll()
        case .sessionUnlocked: break
        }
        await stores.handle(event)
        // After the key is gone, so that nothing opens it again.
        if event != .sessionUnlocked { await history.close() }
    }
}
