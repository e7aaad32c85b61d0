import AutoFillProtocol
import AutoFillWire
import KeywaySystem

/// The credential of one identity.
enum PasswordRules {
    static let all = [
        Rule(
            "password-fill", "A suggested account is filled: at once, or after the interface that it asks for.",
            why: "It promised the account to the system.",
            remedy: "End the request with `completeRequest(withSelectedCredential:)` for the identity's record.",
            needs: .passwords
        ) { (subject) throws(Objection) in
            let identity = try subject.identity(.password)
            try await subject.withExtension { (started) throws(Objection) in
                let answer = await subject.credential(of: identity, from: started)
                let (user, password) = try subject.password(in: answer)
                try expect(!password.isEmpty, "the password is empty")
                try expect(
                    identity.user.isEmpty || user == identity.user,
                    "the account is “\(DisplayText.line(user))”, and “\(DisplayText.line(identity.user))” was suggested"
                )
            }
        },
        Rule(
            "password-with-interface", "The same account is filled when the request comes with an interface.",
            why: "That is what follows `userInteractionRequired`.",
            remedy:
                "Override `prepareInterfaceToProvideCredential(for:)`; answer at once where nothing is to be asked.",
            needs: .passwords
        ) { (subject) throws(Objection) in
            let identity = try subject.identity(.password)
            try await subject.withExtension { (started) throws(Objection) in
                let answer = await started.perform(
                    .provideWithInteraction(.init(identity: identity)), subject.person(), within: Subject.patientLimit)
                try subject.password(in: answer)
            }
        },
        Rule(
            "quiet-in-time", "A request without an interface is answered within three seconds.",
            why: "The person has clicked and waits.",
            remedy: "End it with `userInteractionRequired` where it would take longer.",
            needs: .passwords
        ) { (subject) throws(Objection) in
            let identity = try subject.identity(.password)
            try await subject.withExtension { (started) throws(Objection) in
                for wanted in [identity, identity.withoutRecord] {
                    let answer = await started.perform(
                        .provideWithoutInteraction(.init(identity: wanted)), within: Subject.quietLimit)
                    try expect(answer.result != nil, answer.description)
                }
            }
        },
        Rule(
            "quiet-shows-nothing", "Nothing is shown during a request without an interface.",
            why: "There is no place to show it.",
            remedy: "End it with `userInteractionRequired`; the request then comes again with an interface.",
            needs: .passwords
        ) { (subject) throws(Objection) in
            let identity = try subject.identity(.password)
            try await subject.withExtension { (started) throws(Objection) in
                let answer = await started.perform(
                    .provideWithoutInteraction(.init(identity: identity)), within: Subject.quietLimit)
                await started.settle()
                try expect(answer.interfaces.isEmpty && started.strayInterfaces == 0, "an interface was described")
            }
        },
        Rule(
            "missing-record", "A record that does not exist is answered with `credentialIdentityNotFound`.",
            why: "Then the system takes the suggestion away; any other answer leaves it there for ever.",
            remedy: "Look the record up before anything else, and say so when it is gone.",
            needs: .passwords
        ) { (subject) throws(Objection) in
            let identity = try subject.identity(.password).withoutRecord
            try await subject.withExtension { (started) throws(Objection) in
                let answer = await subject.credential(of: identity, from: started)
                if answer.wasGivenUp { throw subject.objection("credentialIdentityNotFound", answer) }
                try expect(
                    answer.extensionCode == ExtensionCode.credentialIdentityNotFound,
                    "instead of credentialIdentityNotFound: \(answer.description)")
            }
        },
        Rule(
            "locked", "A provider that is locked after its start asks for an interface; it does not fail.",
            why: "A locked vault is an ordinary state: `userInteractionRequired` is its answer.",
            remedy: "Answer `userInteractionRequired` when locked, and unlock in the interface that follows.",
            needs: .passwords
        ) { (subject) throws(Objection) in
            let identity = try subject.identity(.password)
            do throws(ProtocolError) { try await subject.service?.restart() } catch {
                throw .broken("the service cannot be started again: \(error.message)")
            }
            try await subject.withExtension { (started) throws(Objection) in
                let request = PerformRequest.CredentialRequest(identity: identity)
                let answer = await started.perform(.provideWithoutInteraction(request), within: Subject.quietLimit)
                if case .password = answer.result {
                    throw .notApplicable("it answered at once, so it was not locked")
                }
                try expect(
                    answer.extensionCode == ExtensionCode.userInteractionRequired,
                    "neither a password nor userInteractionRequired: \(answer.description)")
            }
        },
    ]
}

extension CredentialIdentity {
    /// The same identity of a record that nobody has.
    var withoutRecord: CredentialIdentity {
        CredentialIdentity(
            kind: kind, service: service, user: user, recordIdentifier: "keyway-kit-no-such-record", rank: rank,
            passkey: passkey)
    }
}
