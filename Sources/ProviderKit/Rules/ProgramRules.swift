import AutoFillWire
import Glibc

/// How the extension begins and ends.
enum ProgramRules {
    static let all = [
        Rule(
            "greets", "The extension says hello within five seconds.",
            why: "Nothing is asked of a program that has not said what it is.",
            remedy: "Call `main()` or `runCredentialProviderExtension` first; do slow work when it is needed."
        ) { (subject) throws(Objection) in
            try await subject.withExtension { (_) throws(Objection) in }
        },
        Rule(
            "greets-first", "The extension speaks only after its hello was answered.",
            why: "What comes before is refused.",
            remedy: "Use the connection that the module opens; nothing else may write to descriptor 3."
        ) { (subject) throws(Objection) in
            try await subject.withExtension { (started) throws(Objection) in
                await started.settle()
                try expect(started.earlyMethods.isEmpty, "it called \(started.earlyMethods.joined(separator: ", "))")
            }
        },
        Rule(
            "ends-when-let-go", "The extension ends within two seconds when its connection closes.",
            why: "That is how the broker ends it: when it is idle, turned off, or its vault locks.",
            remedy: "Let the end of descriptor 3 end the process; save when something changes, not at the end."
        ) { (subject) throws(Objection) in
            let started = try await subject.start()
            try expect(await started.end(), "it had to be killed")
        },
        Rule(
            "ends-when-told", "The extension ends within two seconds of SIGTERM.",
            why: "That is how a session ends.",
            remedy: "Do not block or ignore SIGTERM."
        ) { (subject) throws(Objection) in
            let started = try await subject.start()
            started.process.send(signal: SIGTERM)
            let hasEnded = await started.process.hasEnded(within: .seconds(2))
            await started.end()
            try expect(hasEnded, "it had to be killed")
        },
        Rule(
            "ends-without-the-broker", "The extension ends when it was not started by the broker.",
            why: "Started by hand it would wait for ever, or speak to somebody else.",
            remedy: "Call `runCredentialProviderExtension`, which looks at descriptor 3 first."
        ) { (subject) throws(Objection) in
            let process = try subject.launchAlone()
            let hasEnded = await process.hasEnded(within: .seconds(5))
            process.send(signal: SIGKILL)
            _ = await process.hasEnded(within: .seconds(5))
            try expect(hasEnded, "it still ran after five seconds")
        },
        Rule(
            "two-at-a-time", "Two extensions of the bundle run beside each other.",
            why: "A fill elsewhere does not wait for a list that somebody looks at.",
            remedy: "Lock files for moments only, and share nothing that one process must own.",
            needs: .list
        ) { (subject) throws(Objection) in
            let identity = try? subject.identity(subject.capabilities.providesPasswords ? .password : .passkey)
            guard let identity, identity.kind == .password else {
                throw .unchecked("there is no account whose password could be filled: give --record")
            }
            try await subject.withExtension { (first) throws(Objection) in
                guard let list = subject.capabilities.listRequest([]) else { return }
                let open = Task { await first.perform(list, Person(.waits), within: .seconds(30)) }
                defer { open.cancel() }
                _ = await Waiting.until(.seconds(3)) { first.hasShown }
                try await subject.withExtension { (second) throws(Objection) in
                    _ = try subject.password(in: await subject.credential(of: identity, from: second))
                }
            }
        },
    ]
}
