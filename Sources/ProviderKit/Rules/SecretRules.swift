/// Where no secret may be. The kit knows which ones it was given.
enum SecretRules {
    static let all = [
        Rule(
            "secret-sealed", "Secrets come as sealed memory files.",
            why: "Whoever sent one that is not sealed could still change it, or read along.",
            remedy: "Use the module's credentials; by hand: memfd_create(2), all seals, then send."
        ) { (subject) throws(Objection) in
            try await subject.withExtension { (started) throws(Objection) in
                let answer: Answer
                if let identity = try? subject.identity(.password) {
                    answer = await subject.credential(of: identity, from: started)
                } else if let request = subject.interactiveRequest {
                    answer = await started.perform(request, subject.person(), within: Subject.patientLimit)
                } else {
                    throw .notApplicable("it delivers no secret")
                }
                switch answer.result {
                case .password(_, let attachment), .oneTimeCode(let attachment, _), .text(let attachment):
                    try subject.secret(attachment, "secret")
                case .configured, .passkeyAssertion, .saved: throw .notApplicable("it delivered no secret")
                default: throw subject.objection("a secret", answer)
                }
            }
        },
        Rule(
            "secret-not-in-messages", "No secret stands in a message.",
            why: "Messages are logged, copied and kept in memory that nobody wipes.",
            remedy: "Leave it to the memory file beside the frame."
        ) { (subject) throws(Objection) in
            try await subject.exercise()
            try subject.expectNoSecret(in: subject.frames, "a message")
        },
        Rule(
            "secret-not-in-output", "No secret is printed.",
            why: "What extensions print goes to the journal.",
            remedy: "Do not print credentials, not even while looking for a fault."
        ) { (subject) throws(Objection) in
            try await subject.exercise()
            guard let output = FileText.bytes(subject.place.outputPath, limit: 64 << 20) else { return }
            try subject.expectNoSecret(in: output, "what it printed")
        },
        Rule(
            "secret-not-in-arguments", "No secret stands in the arguments or the environment of a process.",
            why: "Arguments can be read by every user of the machine, the environment by every program of this one.",
            remedy: "Hand secrets to other programs through a pipe."
        ) { (subject) throws(Objection) in
            try await subject.exercise()
            guard subject.isWatched else { throw .unchecked(Subject.notWatched) }
            for program in subject.calls.programs {
                let text = (program.arguments + program.environment).joined(separator: "\0")
                try subject.expectNoSecret(in: Array(text.utf8), "the arguments or environment of \(program.path)")
            }
        },
        Rule(
            "secret-not-in-files", "No secret is written to a file as it is.",
            why: "Files are read by other programs, copied and backed up.",
            remedy: "Encrypt what you store, with a key that is not beside it."
        ) { (subject) throws(Objection) in
            try await subject.exercise()
            for path in subject.newFiles {
                guard let bytes = FileText.bytes(path, limit: 16 << 20) else { continue }
                try subject.expectNoSecret(in: bytes, "the file \(path.dropFirst(subject.place.root.count + 1))")
            }
        },
        Rule(
            "secret-not-in-identities", "No identity holds a secret.",
            why: "Identities are shown and stored by the system.",
            remedy: "Use a key of your own as record identifier."
        ) { (subject) throws(Objection) in
            try await subject.exercise()
            for identity in try await subject.writtenIdentities() {
                let parts = [identity.user, identity.recordIdentifier ?? "", identity.service.identifier]
                try subject.expectNoSecret(in: Array(parts.joined(separator: "\0").utf8), "an identity")
            }
        },
    ]
}

extension Subject {
    static let notWatched = "the kernel does not let the kit watch the calls of its programs (seccomp)"

    /// Whether every program was watched, and could be looked at.
    var isWatched: Bool {
        extensions.allSatisfy { $0.process.isWatched } && calls.unreadable == 0
    }

    fileprivate func expectNoSecret(in text: [UInt8], _ what: String) throws(Objection) {
        if let form = secrets.form(in: text) { throw .broken("\(what) holds a secret, \(form)") }
    }
}
