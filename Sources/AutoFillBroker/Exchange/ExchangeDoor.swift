import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import ProviderHosting

/// What clients may ask of the exchange: terminals, which have an app export, and apps with a connection of their own.
final class ExchangeDoor: Sendable {
    private let admission: ClientAdmission
    private let notes: RequestNotes
    private let place: ClientPlace
    private let authorization: AuthorizationDoor
    private let apps: ApplicationDoor
    private let directory: ProviderDirectory
    private let desk: ExchangeDesk
    private let hasTerminal: @Sendable (TerminalSession) -> Bool

    init(
        admission: ClientAdmission, notes: RequestNotes, place: ClientPlace, authorization: AuthorizationDoor,
        apps: ApplicationDoor, directory: ProviderDirectory, desk: ExchangeDesk,
        hasTerminal: @escaping @Sendable (TerminalSession) -> Bool
    ) {
        self.admission = admission
        self.notes = notes
        self.place = place
        self.authorization = authorization
        self.apps = apps
        self.directory = directory
        self.desk = desk
        self.hasTerminal = hasTerminal
    }

    /// Answers them.
    func add(to table: inout MethodTable) {
        table.on(BeginExchange.self) { parameters, context in try await self.begin(parameters, context) }
        table.on(RequestExport.self) { parameters, context in try await self.request(parameters, context) }
        table.on(ExportCredentials.self) { parameters, context in try await self.export(parameters, context) }
        table.on(TakeCredentials.self) { parameters, context in
            let provider = try await self.apps.approved(context.connection).bundle.reference.identifier
            return TakeCredentials.Result(data: try await self.desk.parcels.take(parameters.token, for: provider))
        }
    }

    // MARK: - Terminals

    /// Has the app of a provider export.
    ///
    /// - Throws: ``ProtocolError``: `noProvider`, `interactionRequired`, or what the export failed with.
    private func begin(
        _ parameters: BeginExchange.Parameters, _ context: RequestContext
    ) async throws(ProtocolError) -> BeginExchange.Result {
        let bundle = try await exporter(parameters.provider)
        notes.remark(context) { $0.provider = bundle.reference }
        let only: String? =
            if let name = parameters.destination {
                try await directory.provider(name).reference.identifier
            } else {
                nil
            }
        _ = try await desk.matches(for: bundle, only: only)
        let export = ExchangeExport(
            exporter: bundle, client: admission.clientName(context), path: nil, only: only,
            surface: try await surface(parameters.presents, context), isPartOfAnother: true)
        let outcome = ExchangeOutcome()
        let report: Attachment?
        do throws(ProtocolError) {
            report = try await desk.continueActivity(
                .exporting(export, outcome), of: bundle, on: export.surface, isPartOfAnother: false)
        } catch {
            throw outcome.error ?? error
        }
        guard let taken = outcome.taken else {
            throw ProtocolError(
                .providerFailed, "\(bundle.reference.name) exported nothing.", provider: bundle.reference.identifier)
        }
        return BeginExchange.Result(
            exporter: bundle.reference, destination: taken.destination, exported: report, imported: taken.report)
    }

    /// The provider whose app is to export.
    private func exporter(_ name: String?) async throws(ProtocolError) -> ProviderBundle {
        let isAble = { (bundle: ProviderBundle) in
            bundle.makesExports && bundle.activityPath != nil
                && !bundle.capabilities.credentialExchangeVersions.isEmpty
        }
        if let name {
            let bundle = try await directory.provider(name)
            guard isAble(bundle) else {
                throw ProtocolError(
                    .noProvider, "\(bundle.reference.name) can't give its accounts to another provider.",
                    provider: bundle.reference.identifier)
            }
            return bundle
        }
        let able = try await directory.enabled().filter(isAble)
        guard let first = able.first else {
            throw ProtocolError(
                .noProvider, "No provider is turned on that can give its accounts to another one.")
        }
        guard able.count == 1 else {
            throw ProtocolError(
                .invalidParameters,
                "Several providers can give their accounts away. Name one of them: "
                    + able.map(\.reference.identifier).joined(separator: ", "))
        }
        return first
    }

    private func surface(
        _ presents: Bool, _ context: RequestContext
    ) async throws(ProtocolError) -> ExchangeSurface {
        let surface = ExchangeSurface(place: place, context: context, presents: presents)
        if presents {
            if let absence = place.absence(context) { throw absence }
            guard case .terminal(let session) = try place.caller(context), hasTerminal(session) else {
                throw ProtocolError(.interactionRequired, "Accounts can be exported only where Keyway can ask you.")
            }
            return surface
        }
        guard await surface.presenter.canAsk() else {
            throw ProtocolError(.interactionRequired, "There is no desktop session to ask you in.")
        }
        return surface
    }

    // MARK: - Apps with a connection of their own

    private func request(
        _ parameters: RequestExport.Parameters, _ context: RequestContext
    ) async throws(ProtocolError) -> RequestExport.Result {
        try await agreeing(parameters.provider, context) { agreement throws(ProtocolError) in
            RequestExport.Result(
                exchange: try desk.agreements.put(agreement, for: context.connection),
                formatVersion: agreement.match.version)
        }
    }

    private func export(
        _ parameters: ExportCredentials.Parameters, _ context: RequestContext
    ) async throws(ProtocolError) -> Nothing {
        guard let name = parameters.exchange else {
            return try await agreeing(nil, context) { agreement throws(ProtocolError) in
                try await deliver(parameters, agreement, context)
            }
        }
        // Still the app that asked: an approval can be taken back, and a provider turned off.
        let bundle = try await apps.approved(context.connection).bundle
        notes.remark(context) { $0.provider = bundle.reference }
        return try await deliver(parameters, try desk.agreements.take(name, for: context.connection), context)
    }

    /// Runs `body` with what the person agrees to; where that fails, they are told in the terminal that they looked at.
    private func agreeing<Result>(
        _ provider: String?, _ context: RequestContext,
        _ body: (ExchangeAgreement) async throws(ProtocolError) -> Result
    ) async throws(ProtocolError) -> Result {
        let bundle = try await apps.approved(context.connection).bundle
        notes.remark(context) { $0.provider = bundle.reference }
        try bundle.checkIsCalled(provider)
        let app = try authorization.app(context)
        _ = try await desk.matches(for: bundle, only: nil)
        let seen = try await authorization.surface(for: app, nil, context)
        let surface = ExchangeSurface(
            place: seen.questions.place, context: seen.context, presents: seen.presents, finish: seen.finish)
        do throws(ProtocolError) {
            return try await body(
                try await desk.agree(
                    ExchangeExport(
                        exporter: bundle, client: app.name, path: app.path, only: nil, surface: surface,
                        isPartOfAnother: false)))
        } catch {
            surface.finish(false)
            throw error
        }
    }

    private func deliver(
        _ parameters: ExportCredentials.Parameters, _ agreement: ExchangeAgreement, _ context: RequestContext
    ) async throws(ProtocolError) -> Nothing {
        var agreement = agreement
        // The request that asked was answered: what is shown in windows belongs to this one.
        if !agreement.export.surface.presents { agreement.export.surface.context = context }
        do throws(ProtocolError) {
            _ = try await desk.deliver(parameters.data, parameters.formatVersion, agreement)
        } catch {
            agreement.export.surface.finish(false)
            throw error
        }
        agreement.export.surface.finish(true)
        return Nothing()
    }
}
