import AutoFillProtocol
import AutoFillWire
import BrokerBase
import KeywaySystem

/// The PIN of Keyway, typed where the question is presented and looked at by `keyway-person-check`.
struct PINCheck: VerificationCheck {
    let choices: VerificationChoices
    let secrets: any TypedSecrets
    /// One try at a time: each begins with what is known of the one before.
    private let turn = Turn()

    init(choices: VerificationChoices, secrets: any TypedSecrets) {
        self.choices = choices
        self.secrets = secrets
    }

    var method: VerificationMethod { .pin }

    func state() async -> VerificationMethodState {
        do throws(ProtocolError) {
            guard try await choices.document().isPINSet else {
                return unavailable("No PIN is set. To set one: keyway verification pin set", .notSetUp)
            }
            switch try await secrets.state(.init(access: try await choices.access())).pin {
            case .ready: return VerificationMethodState(method: .pin, isAvailable: true)
            case .waiting(let seconds):
                return unavailable("Too many wrong PINs. Try again in \(seconds) s.")
            case .lockedOut:
                return unavailable(
                    "Too many wrong PINs. Verify yourself in another way and set a new PIN: keyway verification pin set",
                    .lockedOut)
            case .disbelieved(let reason):
                return unavailable("Keyway can't use the PIN: \(reason). Set a new one: keyway verification pin set")
            case .notSet, nil:
                return unavailable(
                    "Keyway can't use the PIN: its record was removed. Set a new one: keyway verification pin set")
            }
        } catch {
            return unavailable(error.message)
        }
    }

    func verify(_ subject: VerificationSubject, through presenter: any PersonPresenter) async throws(ProtocolError) {
        try await TypedQuestion.ask(.pin, subject, through: presenter) { typed throws(ProtocolError) in
            try await turn.run { () throws(ProtocolError) in try await look(at: typed) }
        }
    }

    /// Whether that is the PIN. It is looked at only after the try was counted in the record, and that was noted here: else
    /// whoever keeps the broker from noting anything puts the record back after each try, and the record itself shows which
    /// one was right.
    private func look(at typed: InterfaceSecret) async throws(ProtocolError) -> CheckTypedSecret.Outcome {
        let counted = try await secrets.countTry(.init(access: try await choices.access()))
        do throws(ProtocolError) {
            try await choices.note(pinChanges: counted.changes)
        } catch {
            return .unavailable("the try can't be noted: \(error.message)")
        }
        if let refusal = counted.refusal { return .unavailable(refusal) }
        let access = try await choices.access()
        let result = try await secrets.check(.init(kind: .pin(access), secret: Attachment(typed.sealedMemory)))
        if let changes = result.changes { try? await choices.note(pinChanges: changes) }
        return result.outcome
    }

    /// Sets or removes it. Whoever asks has verified the person.
    ///
    /// - Returns: whether the settings were not believed and began anew.
    /// - Throws: ``ProtocolError``: `invalidParameters` for one of another length, `locked`, `system`.
    func replace(with pin: Attachment?) async throws(ProtocolError) -> Bool {
        try await turn.run { () throws(ProtocolError) in try await change(to: pin) }
    }

    private func change(to pin: Attachment?) async throws(ProtocolError) -> Bool {
        // One that is removed is none before its record goes: were it the other way round, whatever is cut off between
        // would leave a PIN whose record was taken away, which nobody can type.
        let beganAnew = try await choices.change(beginsAnew: true) { if pin == nil { $0.isPINSet = false } }
        let result = try await secrets.replacePIN(.init(access: try await choices.access(), pin: pin))
        try await choices.change {
            $0.isPINSet = pin != nil
            $0.pinChanges = result.changes
        }
        return beganAnew
    }

    private func unavailable(
        _ detail: String, _ obstacle: VerificationMethodState.Obstacle? = nil
    ) -> VerificationMethodState {
        VerificationMethodState(method: .pin, isAvailable: false, detail: detail, obstacle: obstacle)
    }
}

/// The password of the login, typed where the question is presented and looked at by `keyway-person-check` with PAM.
struct LoginPasswordCheck: VerificationCheck {
    let secrets: any TypedSecrets

    var method: VerificationMethod { .loginPassword }

    func state() async -> VerificationMethodState {
        do throws(ProtocolError) {
            let obstacle = try await secrets.state(.init(access: nil)).loginObstacle
            return VerificationMethodState(
                method: method, isAvailable: obstacle == nil, detail: obstacle.map { "It can't be checked: \($0)." },
                obstacle: obstacle == nil ? nil : .notSetUp)
        } catch {
            return VerificationMethodState(method: method, isAvailable: false, detail: error.message)
        }
    }

    func verify(_ subject: VerificationSubject, through presenter: any PersonPresenter) async throws(ProtocolError) {
        try await TypedQuestion.ask(method, subject, through: presenter) { typed throws(ProtocolError) in
            try await secrets.check(.init(kind: .loginPassword, secret: Attachment(typed.sealedMemory))).outcome
        }
    }
}
