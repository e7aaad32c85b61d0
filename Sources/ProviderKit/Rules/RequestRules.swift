import AutoFillWire
import KeywaySystem

/// What holds for requests of every kind.
enum RequestRules {
    static let all = [
        Rule(
            "well-formed", "Everything that the extension sends is a message of the protocol.",
            why: "The broker ends an extension that sends something else.",
            remedy: "Use the module, or follow `Docs/protocol.md`: frames of JSON-RPC 2.0, sizes as stated."
        ) { (subject) throws(Objection) in
            try await subject.withExtension { (started) throws(Objection) in
                for request in [subject.anyRequest, subject.interactiveRequest].compactMap({ $0 }) {
                    _ = await started.perform(request, subject.person(), within: Subject.patientLimit)
                }
                await started.settle()
                try expect(started.violations.isEmpty, started.violations.first ?? "")
                try expect(started.unreadableInterfaces == 0, "it described an interface that cannot be read")
            }
        },
        Rule(
            "answers-once", "Each request is answered once, and nothing else is answered.",
            why: "A second answer, or one for another request, could fill the wrong place.",
            remedy: "End a request once; a later call does nothing anyway."
        ) { (subject) throws(Objection) in
            try await subject.withExtension { (started) throws(Objection) in
                for _ in 0..<3 {
                    let person = Person(.backsOut)
                    let answer = await started.perform(subject.anyRequest, person, within: Subject.patientLimit)
                    try expect(answer.result != nil, answer.description)
                }
                await started.settle()
                let strays = started.connection.unawaitedAnswers
                try expect(strays == 0, "\(strays) answer(s) came that nobody waited for")
            }
        },
        Rule(
            "unknown-method", "A method that does not exist is answered with an error.",
            why: "A newer broker may ask for what an older extension does not know.",
            remedy: "Answer `unknownMethod`, and go on."
        ) { (subject) throws(Objection) in
            try await subject.withExtension { (started) throws(Objection) in
                try await started.expectError(of: "a method that does not exist") {
                    (connection) throws(ProtocolError) in
                    _ = try await connection.call(NoSuchMethod.self, Nothing())
                }
            }
        },
        Rule(
            "unknown-request", "A request of an unknown kind is answered with an error.",
            why: "A newer broker may have kinds that an older extension does not know.",
            remedy: "Answer with an error, and go on."
        ) { (subject) throws(Objection) in
            try await subject.withExtension { (started) throws(Objection) in
                try await started.expectError(of: "a request of an unknown kind") {
                    (connection) throws(ProtocolError) in
                    _ = try await connection.call(UnknownRequest.self, UnknownRequest.Parameters.invented)
                }
            }
        },
        Rule(
            "undeclared-request", "A request of a kind that the bundle does not declare is refused.",
            why: "It must not give away what it did not say it would.",
            remedy: "End it with `failed` (the base class does); never with a credential, and never by crashing."
        ) { (subject) throws(Objection) in
            let requests = subject.undeclaredRequests
            if requests.isEmpty { throw .notApplicable("it declares everything") }
            try await subject.withExtension { (started) throws(Objection) in
                for request in requests {
                    let answer = await started.perform(request, Person(.backsOut), within: Subject.quietLimit)
                    switch answer.ending {
                    case .error, .result(.cancelled), .result(.reported): continue
                    default: throw .broken("to a \(request.word) request: \(answer.description)")
                    }
                }
            }
        },
        Rule(
            "withdrawn", "A request that is withdrawn ends, and the next one is answered.",
            why: "The page may be gone before the person has answered.",
            remedy: "Stop what the request began when `cancel` comes; the module dismisses the controller."
        ) { (subject) throws(Objection) in
            guard let request = subject.interactiveRequest else { throw .notApplicable("nothing of it shows anything") }
            try await subject.withExtension { (started) throws(Objection) in
                let open = Task { await started.perform(request, Person(.waits), within: .seconds(30)) }
                let isShown = await Waiting.until(.seconds(10)) { started.hasShown }
                open.cancel()
                _ = await open.value
                guard isShown else { throw .notApplicable("it answered before it showed anything") }
                let number = started.lastRequest
                let isAnswered = await Waiting.until(.seconds(3)) { started.hasAnswered(number) }
                try expect(isAnswered, "the withdrawn request was not answered within three seconds")
                let next = await started.perform(request, Person(.backsOut), within: Subject.patientLimit)
                try expect(next.result != nil, "the request after it: \(next.description)")
            }
        },
        Rule(
            "independent", "What happened in one request changes nothing in the next.",
            why: "Each request has a controller of its own, for another page, perhaps of somebody else.",
            remedy: "Keep nothing of a request in statics; start from the parameters each time."
        ) { (subject) throws(Objection) in
            guard let request = subject.interactiveRequest else { throw .notApplicable("nothing of it shows anything") }
            try await subject.withExtension { (started) throws(Objection) in
                let first = await started.perform(request, Person(.backsOut), within: Subject.patientLimit)
                if first.interfaces.isEmpty { throw .notApplicable("it answered before it showed anything") }
                let second = await started.perform(request, Person(.backsOut), within: Subject.patientLimit)
                try expect(
                    first.interfaces.first == second.interfaces.first,
                    "after the person had backed out, the same request showed something else")
                try expect(
                    second.extensionCode == first.extensionCode, "the second time: \(second.description)")
            }
        },
        Rule(
            "many-requests", "One process answers a hundred requests in a row.",
            why: "It is used again and again while it is warm.",
            remedy: "End every request; keep no limit of your own."
        ) { (subject) throws(Objection) in
            try await subject.withExtension { (started) throws(Objection) in
                for number in 1...100 {
                    let answer = await started.perform(
                        subject.anyRequest, Person(.backsOut), within: Subject.patientLimit)
                    try expect(answer.result != nil, "request \(number): \(answer.description)")
                }
            }
        },
    ]
}
