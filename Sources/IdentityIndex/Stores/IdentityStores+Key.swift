package import AutoFillProtocol
package import KeywayCrypto
package import KeywaySystem
package import LoginMonitor

/// The key of the stores: in memory while the login session is open, and only then.
extension IdentityStores {
    /// How long after a failure the source is asked again.
    static let retryInterval = Duration.seconds(5)
    /// How often it is asked whether the login session is still locked.
    static let lockCheckInterval = Duration.seconds(5)

    /// Where the key comes from, and whether it is there.
    package func keyState() -> BrokerStatus.StoreKeyState {
        let detail = lockedSince == nil ? state?.detail : "The login session is locked."
        return BrokerStatus.StoreKeyState(source: state?.source, isOpen: key != nil, detail: detail)
    }

    /// Asks for the key, unless it is there or asked for already, and returns at once.
    package func prepareKey() {
        guard key == nil, fetching == nil, lockedSince == nil else { return }
        fetching = Task { [source, lockCount] in
            let answer = await source.fetch()
            adopt(answer, askedAt: lockCount)
        }
    }

    /// Locks with the login session, as `monitor` sees it, from now on.
    package func follow(_ monitor: LoginMonitor) async {
        isSessionLocked = { await monitor.isSessionLocked() }
        if await monitor.isSessionLocked() { await lock() } else { prepareKey() }
    }

    /// Does what a change of the login session asks for.
    package func handle(_ event: LoginEvent) async {
        switch event {
        case .sessionLocked, .willSleep: await lock()
        // Another session of the person may still be locked.
        case .sessionUnlocked: if await isSessionLocked?() != true { unlock() }
        }
    }

    /// Forgets the key and all that was opened with it, until ``unlock()``.
    package func lock() async {
        lockedSince = clock.now
        lockCount += 1
        key = nil
        settings.lock()
        opened.forget()
        log("identity stores locked")
        await close()
    }

    /// The login session is open again: the key is asked for.
    package func unlock() {
        guard lockedSince != nil else { return }
        lockedSince = nil
        log("identity stores unlocked")
        prepareKey()
    }

    /// The key, as soon as its source gave it.
    ///
    /// - Throws: ``ProtocolError`` with the code `locked`: the session is locked, or the source cannot be opened now.
    package func openKey() async throws(ProtocolError) -> SecretKey {
        await checkLock()
        while lockedSince == nil {
            if let key { return key }
            if fetching == nil {
                if let failed = lastFailure, clock.now.since(failed) < Self.retryInterval {
                    throw ProtocolError(
                        .locked,
                        "Keyway can't open its suggestions now. \(state?.detail ?? "") Run: keyway doctor")
                }
                prepareKey()
            }
            await fetching?.value
        }
        throw ProtocolError(.locked, "The login session is locked, so Keyway can't suggest accounts.")
    }

    /// Waits until settings can be read, or until it is known that they cannot: the login session is locked, or the
    /// key's source is not open. What was read before is known then too.
    package func openSettings() async {
        if settings.key == nil { _ = try? await openKey() }
    }

    private func adopt(_ answer: StoreKeyAnswer, askedAt count: Int) {
        fetching = nil
        // The state alone: the key has one place.
        state = StoreKeyAnswer(key: nil, source: answer.source, detail: answer.detail)
        lastFailure = answer.key == nil ? clock.now : nil
        // Whoever locked meanwhile waits for no key.
        guard count == lockCount, lockedSince == nil else { return }
        key = answer.key
        if let key { settings.open(with: key, isNew: answer.isNew) }
        let source = answer.source?.rawValue ?? "none"
        log("key of the identity stores: \(answer.key == nil ? "not open" : "open"), source \(source)")
        if answer.isNew {
            log("the key is new: what the stores held cannot be opened, providers send everything again")
        }
    }

    /// A screen locker that never says that it ended, or a session that is gone, must not lock the stores for good.
    private func checkLock() async {
        guard let since = lockedSince, clock.now.since(since) >= Self.lockCheckInterval, let isSessionLocked else {
            return
        }
        lockedSince = clock.now
        if await isSessionLocked() == false { unlock() }
    }
}
