import AutoFillProtocol
import FoundationEssentials
import WebAuthnValues

/// Passkeys, old and new.
enum PasskeyRules {
    static let all = [
        Rule(
            "passkey-registration", "A new passkey is made as it was asked for.",
            why: "The relying party checks every part of it.",
            remedy: "Return the client data hash and relying party of the request, and an attestation object of format "
                + "`none` around authenticator data with the new key.",
            needs: .passkeys
        ) { (subject) throws(Objection) in
            try await subject.withExtension { (started) throws(Objection) in
                _ = try await subject.register(with: started)
            }
        },
        Rule(
            "passkey-flags", "The flags of a new passkey tell the truth.",
            why: "Relying parties decide by them.",
            remedy:
                "Set user present and attested credential; backed up only with backup eligible; user verified where "
                + "it was required and happened.",
            needs: .passkeys
        ) { (subject) throws(Objection) in
            try await subject.withExtension { (started) throws(Objection) in
                let flags = try await subject.register(with: started, verification: .required).data.flags
                try expect(flags.contains(.userPresent), "user present is not set")
                try expect(
                    !flags.contains(.backedUp) || flags.contains(.backupEligible),
                    "backed up is set without backup eligible")
                try expect(flags.contains(.userVerified), "user verification was required, and the flag is not set")
            }
        },
        Rule(
            "passkey-assertion", "A passkey signs what it is asked to sign.",
            why: "The relying party checks the signature against the key that it was given.",
            remedy: "Sign the authenticator data followed by the client data hash, with the key of that credential.",
            needs: .passkeys
        ) { (subject) throws(Objection) in
            try await subject.withExtension { (started) throws(Objection) in
                let trial = try await subject.register(with: started)
                let (assertion, hash) = try await subject.sign(with: trial, started)
                try trial.check(assertion, over: hash)
                let flags = (try? AuthenticatorData(assertion.authenticatorData))?.flags ?? []
                try expect(
                    flags.contains(.backupEligible) == trial.data.flags.contains(.backupEligible),
                    "backup eligible is not what it was at the registration")
                try expect(
                    !flags.contains(.backedUp) || flags.contains(.backupEligible),
                    "backed up is set without backup eligible")
            }
        },
        Rule(
            "passkey-fresh", "Every new passkey has an ID and a key of its own.",
            why: "Two accounts with one key are one account.",
            remedy: "Make credential ID and key from fresh random bytes.",
            needs: .passkeys
        ) { (subject) throws(Objection) in
            try await subject.withExtension { (started) throws(Objection) in
                let first = try await subject.register(with: started)
                let second = try await subject.register(with: started)
                try expect(first.credential.credentialID != second.credential.credentialID, "two have the same ID")
                try expect(first.data.credential?.key != second.data.credential?.key, "two have the same key")
            }
        },
        Rule(
            "passkey-excluded", "No second passkey is made where an excluded one exists.",
            why: "The account would have two, and the person would not know which is which.",
            remedy: "End with `matchedExcludedCredential` when one of `excludedCredentials` is stored.",
            needs: .passkeys
        ) { (subject) throws(Objection) in
            try await subject.withExtension { (started) throws(Objection) in
                let trial = try await subject.register(with: started)
                let request = PasskeyTrial.request(excluding: [trial.credential.credentialID])
                let answer = await started.perform(
                    .registerPasskey(request), subject.person(), within: Subject.patientLimit)
                try expect(
                    answer.extensionCode == ExtensionCode.matchedExcludedCredential,
                    "instead of matchedExcludedCredential: \(answer.description)")
            }
        },
        Rule(
            "passkey-algorithms", "No passkey is made for algorithms that the provider does not have.",
            why: "The relying party could not check it.",
            remedy: "Look for an algorithm of yours in `supportedAlgorithms`, and fail when there is none.",
            needs: .passkeys
        ) { (subject) throws(Objection) in
            try await subject.withExtension { (started) throws(Objection) in
                // Of the range for private use (RFC 9053, section 2): nobody has it.
                let request = PasskeyTrial.request(algorithms: [-65_537])
                let answer = await started.perform(
                    .registerPasskey(request), subject.person(), within: Subject.patientLimit)
                if case .cancelled = answer.result { return }
                throw .broken("for an algorithm that nobody has: \(answer.description)")
            }
        },
        Rule(
            "passkey-list", "A list for a passkey request leads to a signature, or to a password.",
            why: "The person chose what to sign in with.",
            remedy: "Override `prepareCredentialList(for:requestParameters:)`.",
            needs: .passkeys
        ) { (subject) throws(Objection) in
            try await subject.withExtension { (started) throws(Objection) in
                let trial = try await subject.register(with: started)
                let parameters = PasskeyTrial.parameters(allowed: [trial.credential.credentialID])
                let services = [ServiceIdentifier(PasskeyTrial.relyingParty, kind: .domain)]
                let answer = await started.perform(
                    .list(services, passkeys: parameters), subject.person(), within: Subject.patientLimit)
                if case .passkeyAssertion(let assertion) = answer.result {
                    return try trial.check(assertion, over: parameters.assertion.clientDataHash)
                }
                try subject.password(in: answer)
            }
        },
        Rule(
            "passkey-conditional", "A conditional registration shows nothing and is answered at once.",
            why: "It happens after a sign-in with a password, and the person did not ask for it.",
            remedy: "Make the passkey where nobody needs to be asked, and fail quietly otherwise.",
            needs: .conditionalRegistration
        ) { (subject) throws(Objection) in
            try await subject.withExtension { (started) throws(Objection) in
                let request = PasskeyTrial.request(verification: .discouraged)
                let answer = await started.perform(
                    .registerPasskeyWithoutInteraction(request), within: Subject.quietLimit)
                await started.settle()
                try expect(answer.interfaces.isEmpty && started.strayInterfaces == 0, "an interface was described")
                switch answer.result {
                case .passkeyRegistration(let credential): _ = try PasskeyTrial(credential, for: request)
                case .cancelled: return
                default: throw .broken("instead of a passkey or an error: \(answer.description)")
                }
            }
        },
    ]
}

extension Subject {
    /// Has a passkey made.
    ///
    /// - Throws: ``Objection``.
    func register(
        with started: StartedExtension, verification: UserVerificationPreference = .preferred
    ) async throws(Objection) -> PasskeyTrial {
        let request = PasskeyTrial.request(verification: verification)
        let answer = await started.perform(.registerPasskey(request), person(), within: Self.patientLimit)
        guard case .passkeyRegistration(let credential) = answer.result else {
            throw objection("a new passkey", answer)
        }
        return try PasskeyTrial(credential, for: request)
    }

    /// Has something signed with it.
    ///
    /// - Throws: ``Objection``.
    func sign(
        with trial: PasskeyTrial, _ started: StartedExtension
    ) async throws(Objection) -> (PasskeyAssertionCredential, hash: Data) {
        let parameters = PasskeyTrial.parameters(allowed: [trial.credential.credentialID])
        let answer = await credential(of: trial.identity(in: store), assertion: parameters.assertion, from: started)
        guard case .passkeyAssertion(let assertion) = answer.result else { throw objection("a signature", answer) }
        return (assertion, parameters.assertion.clientDataHash)
    }
}
