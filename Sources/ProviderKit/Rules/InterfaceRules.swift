import AutoFillProtocol
import KeywaySystem

/// What is shown.
enum InterfaceRules {
    static let all = [
        Rule(
            "interface-bounded", "Everything shown keeps the bounds: rows, fields, buttons, plain text.",
            why: "What is larger is not shown at all, and control characters are taken out.",
            remedy: "Show 1000 rows at most (let the provider search beyond that), and text without control characters."
        ) { (subject) throws(Objection) in
            for interface in try await subject.firstInterfaces() {
                let bounded: ProviderInterface
                do throws(ProtocolError) { bounded = try interface.bounded() } catch { throw .broken(error.message) }
                try expect(bounded == interface, "a text is too long, or holds control characters")
            }
        },
        Rule(
            "interface-identifiers", "Rows, fields and buttons have identifiers that differ.",
            why: "The identifier is all that comes back when the person chooses.",
            remedy: "Use the record's key as the row's id."
        ) { (subject) throws(Objection) in
            for interface in try await subject.firstInterfaces() {
                let identifiers = interface.identifiers
                try expect(Set(identifiers).count == identifiers.count, "two have the same identifier")
            }
        },
        Rule(
            "interface-titled", "Every interface has a title.",
            why: "The person must know what they look at.",
            remedy: "Give lists, forms, messages and progress a title."
        ) { (subject) throws(Objection) in
            for interface in try await subject.firstInterfaces() {
                try expect(!interface.title.isEmpty, "one has no title")
            }
        },
        Rule(
            "interface-cancel", "Backing out of the interface for one credential ends the request with `userCanceled`.",
            why: "The system shows a way to cancel beside everything, and the person uses it.",
            remedy: "Call `super.interface(didReceive:)`, or end with `userCanceled`.",
            needs: .passwords
        ) { (subject) throws(Objection) in
            do throws(ProtocolError) { try await subject.service?.restart() } catch {
                throw .broken("the service cannot be started again: \(error.message)")
            }
            let identity = try subject.identity(.password)
            try await subject.expectCancel(of: .provideWithInteraction(.init(identity: identity)))
        },
    ]
}

extension Subject {
    /// What is shown first for each request that shows something.
    func firstInterfaces() async throws(Objection) -> [ProviderInterface] {
        var requests = [interactiveRequest].compactMap { $0 }
        if capabilities.showsConfigurationUI { requests.append(.configuration) }
        if capabilities.supportsSavePasswordCredentials, let password = try? PasswordToSave.ofKit() {
            requests.append(.savePassword(password))
        }
        return try await withExtension { (started) throws(Objection) in
            var interfaces: [ProviderInterface] = []
            for request in requests {
                let person = Person(.unlocksAndBacksOut, secret: secret)
                let answer = await started.perform(request, person, within: Self.patientLimit)
                interfaces += answer.interfaces
                if case .death(let how) = answer.ending { throw .broken("it ended (\(how))") }
            }
            if interfaces.isEmpty { throw .notApplicable("it showed nothing") }
            return interfaces
        }
    }
}

extension ProviderInterface {
    fileprivate var identifiers: [String] {
        switch self {
        case .list(let list): list.sections.flatMap { $0.rows.map(\.id) }
        case .form(let form): form.fields.map(\.id)
        case .message(let message): message.actions.map(\.id)
        case .progress: []
        }
    }

    fileprivate var title: String {
        switch self {
        case .list(let list): list.title
        case .form(let form): form.title
        case .message(let message): message.title
        case .progress(let progress): progress.title
        }
    }
}
