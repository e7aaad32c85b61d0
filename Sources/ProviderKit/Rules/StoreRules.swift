import AutoFillProtocol
import KeywaySystem

/// What the provider tells the system to suggest.
enum StoreRules {
    static let all = [
        Rule(
            "store-asks-first", "The provider asks for the store's state before it writes.",
            why: "Only then does it know whether the store takes anything, and whether changes are enough.",
            remedy: "Call `ASCredentialIdentityStore.shared.state()` before every write."
        ) { (subject) throws(Objection) in
            let calls = try await subject.callsToFreshStore(.enabled)
            var hasAsked = false
            for call in calls {
                switch call {
                case .state: hasAsked = true
                case .write: try expect(hasAsked, "it wrote before it had asked")
                case .read: continue
                }
            }
        },
        Rule(
            "store-complete-set", "An empty store gets the complete set.",
            why: "That `supportsIncrementalUpdates` is false says that nothing is there to be changed.",
            remedy: "Call `replaceCredentialIdentities(_:)` with all identities, then changes only."
        ) { (subject) throws(Objection) in
            for call in try await subject.callsToFreshStore(.enabled) {
                guard case .write(let operation, _, isFirstPart: true, wasEmpty: true) = call else { continue }
                try expect(operation == .replace, "it sent changes (\(operation.rawValue)) to an empty store")
            }
        },
        Rule(
            "store-disabled", "A store that is turned off gets nothing.",
            why: "The person has turned the provider off.",
            remedy: "Write only while `state().isEnabled`."
        ) { (subject) throws(Objection) in
            let calls = try await subject.callsToFreshStore(.disabled)
            let writes = calls.count { if case .write = $0 { true } else { false } }
            try expect(writes == 0, "it wrote \(writes) time(s)")
        },
        Rule(
            "store-busy", "A store that is busy is no reason to fail.",
            why: "It is while the session is locked.",
            remedy: "Catch the error of the store (`storeBusy`), go on, and try again later."
        ) { (subject) throws(Objection) in
            _ = try await subject.callsToFreshStore(.busy)
        },
        Rule(
            "store-kinds", "The store holds identities of declared kinds only, each complete.",
            why: "A suggestion that cannot be filled helps nobody.",
            remedy: "Give every identity a service and a record identifier, and every passkey its credential ID."
        ) { (subject) throws(Objection) in
            for identity in try await subject.writtenIdentities() {
                try expect(
                    identity.need.isDeclared(by: subject.capabilities),
                    "one is of the kind \(identity.kind.rawValue), which is not declared")
                try expect(!identity.service.identifier.isEmpty, "one has no service")
                try expect(identity.recordIdentifier?.isEmpty == false, "one has no record identifier")
                try expect(
                    (identity.kind == .passkey) == (identity.passkey != nil), "a passkey has no credential ID")
            }
        },
    ]
}

extension CredentialIdentity {
    fileprivate var need: Need {
        switch kind {
        case .password: .passwords
        case .passkey: .passkeys
        case .oneTimeCode: .oneTimeCodes
        }
    }
}

extension Subject {
    /// What a provider that was just turned on does with its store.
    ///
    /// - Throws: ``Objection``: `notApplicable` for one that writes nothing even to an open store.
    func callsToFreshStore(_ mood: StoreHalf.Mood) async throws(Objection) -> [StoreHalf.Call] {
        guard store.isWritten || !store.calls.isEmpty else {
            throw .notApplicable("it tells the system of no identities")
        }
        let fresh = StoreHalf(mood)
        let half = bundle.servicePath.map { ServiceHalf(path: $0, place: place, calls: calls, store: fresh) }
        await service?.stop()
        do throws(Objection) {
            try await provoke(fresh, half)
            await half?.stop()
        } catch {
            await half?.stop()
            throw error
        }
        return fresh.calls
    }

    private func provoke(_ fresh: StoreHalf, _ half: ServiceHalf?) async throws(Objection) {
        do throws(ProtocolError) { try await half?.start() } catch { throw .broken(error.message) }
        let hasCalled: @Sendable () -> Bool = { !fresh.calls.isEmpty }
        if half != nil, await Waiting.until(.milliseconds(700), hasCalled) {
            return try await settle(fresh)
        }
        try await withExtension(store: fresh, service: half) { (started) throws(Objection) in
            let request = capabilities.showsConfigurationUI ? .configuration : interactiveRequest
            guard let request else { return }
            let answer = await started.perform(request, person(), within: Self.patientLimit)
            if case .death(let how) = answer.ending { throw .broken("it ended (\(how))") }
            if answer.result == nil { throw .broken(answer.description) }
            try await settle(fresh)
        }
    }

    /// Waits until a quarter of a second has passed without a call.
    private func settle(_ fresh: StoreHalf) async throws(Objection) {
        var count = -1
        while fresh.calls.count != count {
            count = fresh.calls.count
            _ = try? await Task.sleep(for: .milliseconds(250))
        }
    }

    /// Every identity that it ever wrote.
    func writtenIdentities() async throws(Objection) -> Set<CredentialIdentity> {
        let written = store.everWritten
        if written.isEmpty { throw .notApplicable("it tells the system of no identities") }
        return written
    }
}
