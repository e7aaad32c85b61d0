import AutoFillProtocol
import AutoFillWire
import KeywayCrypto
import KeywaySystem

/// Passwords to keep and passwords to propose.
enum NewPasswordRules {
    static let all = [
        Rule(
            "save-quiet", "A password to save is answered without an interface, or asks for one.",
            why: "The form is gone; nobody waits.",
            remedy: "End with `completeSavePasswordRequest()`, `userInteractionRequired`, or a refusal.",
            needs: .saving
        ) { (subject) throws(Objection) in
            try await subject.withExtension { (started) throws(Objection) in
                let password = try subject.passwordToSave()
                let answer = await started.perform(
                    .savePasswordWithoutInteraction(password), within: Subject.quietLimit)
                await started.settle()
                try expect(answer.interfaces.isEmpty && started.strayInterfaces == 0, "an interface was described")
                switch answer.result {
                case .saved, .cancelled: return
                default: throw .broken("instead of “saved” or an error: \(answer.description)")
                }
            }
        },
        Rule(
            "save-with-interface", "A password is saved when the person agrees.",
            why: "Otherwise it is lost.",
            remedy:
                "Override `prepareInterface(for: ASSavePasswordRequest)`; end with `completeSavePasswordRequest()`.",
            needs: .saving
        ) { (subject) throws(Objection) in
            try await subject.withExtension { (started) throws(Objection) in
                let answer = await started.perform(
                    .savePassword(try subject.passwordToSave()), subject.person(), within: Subject.patientLimit)
                guard case .saved = answer.result else { throw subject.objection("“saved”", answer) }
            }
        },
        Rule(
            "save-cancel", "Backing out of saving ends the request with `userCanceled`.",
            why: "Otherwise the system takes it for a failure, and says so.",
            remedy: "Call `super.interface(didReceive:)`, or end with `userCanceled`.",
            needs: .saving
        ) { (subject) throws(Objection) in
            try await subject.expectCancel(of: .savePassword(try subject.passwordToSave()))
        },
        Rule(
            "generate", "Passwords are proposed at once, each with its kind.",
            why: "There is no second try with an interface: `userInteractionRequired` counts as failure.",
            remedy: "End with `completeGeneratePasswordRequest(results:)`; generating needs no unlocked vault.",
            needs: .generating
        ) { (subject) throws(Objection) in
            try await subject.withExtension { (started) throws(Objection) in
                let answer = await started.perform(
                    .generatePasswordsWithoutInteraction(.ofKit), within: Subject.quietLimit)
                try subject.proposals(in: answer)
            }
        },
        Rule(
            "generate-fresh", "Passwords that are proposed twice differ.",
            why: "A proposal that comes again can be guessed.",
            remedy: "Make them from fresh random bytes.",
            needs: .generating
        ) { (subject) throws(Objection) in
            try await subject.withExtension { (started) throws(Objection) in
                var seen: [SecretBytes] = []
                for _ in 0..<3 {
                    let answer = await started.perform(
                        .generatePasswordsWithoutInteraction(.ofKit), within: Subject.quietLimit)
                    for password in try subject.proposals(in: answer) {
                        try expect(!seen.contains(password), "the same password came again")
                        seen.append(password)
                    }
                }
            }
        },
        Rule(
            "generate-keeps-nothing", "Proposing passwords changes nothing that is stored.",
            why: "The person has not taken one yet.",
            remedy: "Keep a generated password when it comes back in a save request.",
            needs: .generating
        ) { (subject) throws(Objection) in
            let store = StoreHalf()
            try await subject.withExtension(store: store) { (started) throws(Objection) in
                // The first request may be when it tells the system what it has anyway.
                var counts: [Int] = []
                for _ in 0..<2 {
                    _ = await started.perform(.generatePasswordsWithoutInteraction(.ofKit), within: Subject.quietLimit)
                    await started.settle()
                    counts.append(store.calls.count { if case .write = $0 { true } else { false } })
                }
                try expect(counts.first == counts.last, "it wrote to the identity store")
            }
        },
        Rule(
            "generate-with-interface", "The interface for generating leads to proposals.",
            why: "It is on by default once passwords are generated.",
            remedy: "Override `prepareInterface(for: ASGeneratePasswordsRequest)`, or declare "
                + "SupportsGeneratePasswordCredentialsWithUI as false.",
            needs: .generatingInterface
        ) { (subject) throws(Objection) in
            try await subject.withExtension { (started) throws(Objection) in
                let answer = await started.perform(
                    .generatePasswords(.ofKit), subject.person(), within: Subject.patientLimit)
                try subject.proposals(in: answer)
            }
        },
    ]
}

extension Subject {
    /// A password to save, with a fresh session.
    func passwordToSave() throws(Objection) -> PasswordToSave {
        do throws(ProtocolError) { return try .ofKit() } catch { throw .unchecked(error.message) }
    }

    /// The proposals in `answer`, each checked.
    @discardableResult
    func proposals(in answer: Answer) throws(Objection) -> [SecretBytes] {
        guard case .generated(let passwords) = answer.result else { throw objection("proposals", answer) }
        try expect(!passwords.isEmpty, "there is no proposal")
        var secrets: [SecretBytes] = []
        for password in passwords {
            try expect(!password.kind.isEmpty, "a proposal has no kind")
            let secret = try secret(password.value, "proposal")
            try expect(secret.count >= 8, "a proposal has \(secret.count) bytes")
            secrets.append(secret)
        }
        return secrets
    }
}

extension PasswordToSave {
    /// What the kit offers.
    static func ofKit() throws(ProtocolError) -> PasswordToSave {
        let password = Array("kit-\(UInt64.random(in: .min ... .max))".utf8)
        let memory = SecretBytes(copying: password)
        return PasswordToSave(
            service: ServiceIdentifier("https://kit.example/join", kind: .url), user: "kit",
            password: Attachment(
                try memory.withUnsafeBytes { (bytes) throws(ProtocolError) in try SealedMemory(copying: bytes) }),
            session: "kit-\(UInt64.random(in: .min ... .max))", event: .userInitiated)
    }
}
