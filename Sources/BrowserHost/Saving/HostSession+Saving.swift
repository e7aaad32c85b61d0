import AutoFillProtocol
import AutoFillWire

/// New passwords, and passwords of forms that were sent.
extension HostSession {
    /// Whether a provider proposes passwords, and whether one keeps them.
    func savingSupport(id: Int, _ broker: HostLink) async throws(HostFailure) -> HostAnswer {
        let support = try await ask(SavingSupport.self, Nothing(), broker)
        return .plain(HostReply.result(support, id: id))
    }

    /// Passwords for a form; nothing is kept by it.
    func generate(_ asked: GenerateParameters, id: Int, _ broker: HostLink) async throws(HostFailure) -> HostAnswer {
        return try awaited(try GeneratedReply(try await ask(GeneratePasswords.self, asked.wanted, broker), id: id).json)
    }

    /// Has a generated password kept that the person chose, before its form is sent: whatever becomes of the page.
    func keep(_ form: SubmittedForm, id: Int, _ broker: HostLink) async throws(HostFailure) -> HostAnswer {
        try refusePrivate(form)
        _ = try await ask(SavePassword.self, form.offered(.generatedPasswordFilled), broker)
        return .plain(HostReply.result(HostReply.Nothing(), id: id))
    }

    /// Holds what a form was sent with until it is known whether that worked.
    func submit(_ form: SubmittedForm, id: Int) throws(HostFailure) -> HostAnswer {
        try refusePrivate(form)
        held.hold(form)
        return .plain(HostReply.result(HostReply.Nothing(), id: id))
    }

    /// It worked, or it did not.
    func settle(_ asked: SettleParameters, id: Int, _ broker: HostLink) async throws(HostFailure) -> HostAnswer {
        let form = held.take(asked.session)
        guard asked.worked, let form else {
            return .plain(HostReply.result(HostReply.Settled(outcome: .declined), id: id))
        }
        // A generated one was kept without its account's name: that is done now.
        if !form.isGenerated, filled.contains(form) {
            return .plain(HostReply.result(HostReply.Settled(outcome: .unchanged), id: id))
        }
        let result = try await ask(SavePassword.self, form.offered(.formDidDisappear), broker)
        if result.outcome ?? .saved == .saved { filled.forget(form.page) }
        return .plain(HostReply.result(HostReply.Settled(outcome: result.outcome ?? .saved), id: id))
    }

    /// Where one changes the password of the page's site; the extension opens it if the person wants.
    func changePage(_ page: Page, id: Int, _ broker: HostLink) async throws(HostFailure) -> HostAnswer {
        let found = try await ask(ChangePasswordPage.self, .init(service: page.services[0]), broker)
        return .plain(HostReply.result(HostReply.Address(url: found.address, isKnown: found.isKnown), id: id))
    }

    /// The sites that the person wants not to be asked about.
    func unsavedSites(id: Int, _ broker: HostLink) async throws(HostFailure) -> HostAnswer {
        return .plain(HostReply.result(try await ask(ListUnsavedSites.self, Nothing(), broker), id: id))
    }

    /// Has the person asked about a site again.
    func askAgain(_ asked: AskAgainParameters, id: Int, _ broker: HostLink) async throws(HostFailure) -> HostAnswer {
        _ = try await ask(AskAboutSite.self, .init(site: asked.site), broker)
        return .plain(HostReply.result(HostReply.Nothing(), id: id))
    }

    /// Nothing of a private window is held, not even for a moment.
    private func refusePrivate(_ form: SubmittedForm) throws(HostFailure) {
        guard !form.page.isPrivate else { throw HostFailure(.notAllowed, "Nothing from a private window is saved.") }
    }

    private func ask<Method: RemoteMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, _ broker: HostLink
    ) async throws(HostFailure) -> Method.Result {
        do {
            return try await broker.call(method, parameters)
        } catch {
            throw HostFailure(error)
        }
    }
}

extension HostReply {
    /// `passwords.changePage`.
    struct Address: Encodable {
        let url: String
        let isKnown: Bool
    }

    /// `passwords.settle`.
    struct Settled: Encodable {
        let outcome: SavePassword.Outcome
    }
}
