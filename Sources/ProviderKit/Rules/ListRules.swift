import AutoFillProtocol

/// The list of all that the provider has.
enum ListRules {
    static let all = [
        Rule(
            "list-without-services", "A list for no service in particular shows everything.",
            why: "The person may choose where the page is not known.",
            remedy: "Take the service identifiers as a hint for the order; an empty array is legal.",
            needs: .list
        ) { (subject) throws(Objection) in
            let rows = try await subject.rows(of: [])
            try expect(rows > 0, "the list is empty")
        },
        Rule(
            "list-without-matches", "A list for a service without accounts shows everything, too.",
            why: "The account may be filed under another address.",
            remedy: "Put what matches first; leave nothing out.",
            needs: .list
        ) { (subject) throws(Objection) in
            let all = try await subject.rows(of: [])
            let unmatched = try await subject.rows(of: [Subject.unknownService])
            try expect(unmatched >= all, "\(unmatched) row(s) of \(all)")
        },
        Rule(
            "list-choice", "Choosing a row of the list ends the request with its credential.",
            why: "That is what the list is for.",
            remedy: "Answer `InterfaceEvent.chose` in `interface(didReceive:)`.",
            needs: .list
        ) { (subject) throws(Objection) in
            guard let list = subject.capabilities.listRequest([]) else { return }
            try await subject.withExtension { (started) throws(Objection) in
                let answer = await started.perform(list, subject.person(), within: Subject.patientLimit)
                if case .passkeyAssertion = answer.result, subject.capabilities.providesPasskeys { return }
                try subject.password(in: answer)
            }
        },
        Rule(
            "list-cancel", "Backing out of the list ends the request with `userCanceled`.",
            why: "Other errors are told to the person, who knows what they did.",
            remedy: "Call `super.interface(didReceive:)`, or end with `userCanceled`.",
            needs: .list
        ) { (subject) throws(Objection) in
            guard let list = subject.capabilities.listRequest([]) else { return }
            try await subject.expectCancel(of: list)
        },
        Rule(
            "list-search", "Searching in a list that searches itself leads to another list.",
            why: "The person goes on typing.",
            remedy: "Set another list when `InterfaceEvent.searched` comes, an empty one where nothing fits.",
            needs: .list
        ) { (subject) throws(Objection) in
            guard let request = subject.capabilities.listRequest([]) else { return }
            try await subject.withExtension { (started) throws(Objection) in
                let person = Person(.searches, secret: subject.secret)
                let answer = await started.perform(request, person, within: Subject.patientLimit)
                guard person.hasSearched else { throw .notApplicable("its list is searched by the presenter") }
                try expect(
                    answer.extensionCode == ExtensionCode.userCanceled && answer.interfaces.searchableLists > 1,
                    "after the search: \(answer.description)")
            }
        },
    ]
}

extension [ProviderInterface] {
    /// How many lists among them let the provider search.
    fileprivate var searchableLists: Int {
        count { interface in
            if case .list(let list) = interface { list.search == .provider } else { false }
        }
    }
}

extension Subject {
    /// How many rows the list for `services` has, after whatever must be unlocked.
    func rows(of services: [ServiceIdentifier]) async throws(Objection) -> Int {
        guard let request = capabilities.listRequest(services) else { return 0 }
        return try await withExtension { (started) throws(Objection) in
            let person = Person(.unlocksAndBacksOut, secret: secret)
            let answer = await started.perform(request, person, within: Self.patientLimit)
            let lists = answer.interfaces.compactMap { interface in
                if case .list(let list) = interface { list } else { nil as InterfaceList? }
            }
            guard let list = lists.last else { throw objection("a list", answer) }
            return list.sections.reduce(0) { $0 + $1.rows.count }
        }
    }

    /// Backs out of `request` at once.
    func expectCancel(of request: PerformRequest.Request) async throws(Objection) {
        try await withExtension { (started) throws(Objection) in
            let answer = await started.perform(request, Person(.backsOut), within: Self.patientLimit)
            if answer.interfaces.isEmpty {
                guard answer.result != nil else { throw .broken(answer.description) }
                throw .notApplicable("it answered without showing anything")
            }
            try expect(
                answer.extensionCode == ExtensionCode.userCanceled, "instead of userCanceled: \(answer.description)")
        }
    }
}
