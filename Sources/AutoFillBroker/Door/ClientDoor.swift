import AutoFillProtocol
import Synchronization

/// What one client of the broker has to do with it: its methods, its handles, its open requests.
final class ClientDoor: Sendable {
    private let broker: Broker
    private let handles = SuggestionHandles()
    private let relays = Mutex<[Int: InterfaceRelay]>([:])

    init(broker: Broker) {
        self.broker = broker
    }

    var methods: MethodTable {
        var table = MethodTable()
        table.on(BrokerStatus.self) { _, _ in await self.broker.status() }
        table.on(Suggest.self) { parameters, context in try await self.suggest(parameters, context.role) }
        table.on(Fill.self) { parameters, context in try await self.fill(parameters, context) }
        table.on(PresentationEvent.self) { parameters, _ in
            self.relays.withLock { $0[parameters.request] }?.receive(parameters.event)
        }
        table.on(ListProviders.self) { _, _ in try await self.broker.listProviders() }
        table.on(SetProviderEnabled.self) { parameters, _ in
            try await self.broker.setProvider(parameters.identifier, isEnabled: parameters.isEnabled)
        }
        table.on(ConnectService.self) { parameters, context in
            try await self.connectService(parameters.provider, context.connection)
        }
        table.on(ApproveApplication.self) { parameters, _ in try await self.broker.approve(parameters) }
        broker.addApplicationMethods(to: &table)
        return table
    }

    // MARK: - Suggest

    private func suggest(_ parameters: Suggest.Parameters, _ role: Role) async throws -> Suggest.Result {
        if role == .browser { try checkPages(parameters.services) }
        let providers = try await broker.enabledProviders().map(\.reference)
        let limits = broker.handleLimits
        return try await broker.suggester.suggest(parameters, from: providers, namesRecords: role == .terminal) {
            handles.add($0, for: parameters.services, limits: limits)
        }
    }

    /// A browser asks for pages: a domain alone would pass an insecure page off as a secure one.
    private func checkPages(_ services: [ServiceIdentifier]) throws(ProtocolError) {
        for service in services {
            guard service.kind == .url, ServiceAddress(service, suffixes: broker.suggester.suffixes) != nil else {
                throw ProtocolError(.invalidParameters, "A browser names pages, as URLs of http or https.")
            }
        }
    }

    // MARK: - Fill

    private func fill(_ parameters: Fill.Parameters, _ context: RequestContext) async throws -> Fill.Result {
        guard let request = context.requestID else { throw ProtocolError(.malformed, "A fill is a request.") }
        guard !parameters.presents || context.role == .terminal else {
            throw ProtocolError(.notAllowed, "A \(context.role.rawValue) shows no interface.")
        }
        try Suggester.checkBounds(parameters.services)
        if context.role == .browser { try checkPages(parameters.services) }
        let (bundle, target) = try await resolve(parameters)
        let relay = parameters.presents ? relay(bundle, parameters, context.connection, request) : nil
        defer { relays.withLock { _ = $0.removeValue(forKey: request) } }
        let session = FillSession(
            bundle: bundle, target: target, services: parameters.services, processes: broker.processes,
            suffixes: broker.suggester.suffixes, relay: relay
        ) { [connection = context.connection] command in
            connection.notify(
                FillWaiting.self, .init(request: request, provider: bundle.reference, command: command))
        }
        guard case .identity(let identity) = target else { return try await session.run() }
        do throws(ProtocolError) {
            let result = try await session.run()
            if parameters.isPrivate != true {
                context.afterAnswering { self.broker.remember(identity, of: bundle) }
            }
            return result
        } catch {
            if error.code == .notFound { await broker.forget(identity, of: bundle) }
            throw error
        }
    }

    /// Whose credential is asked for.
    private func resolve(
        _ parameters: Fill.Parameters
    ) async throws(ProtocolError) -> (ProviderBundle, FillSession.Target) {
        switch parameters.target {
        case .suggestion(let handle):
            guard let (offer, services) = handles.offer(handle) else {
                throw ProtocolError(.notFound, "The suggestion is not known any more: ask for suggestions again.")
            }
            guard services == parameters.services else {
                throw ProtocolError(.refused, "The suggestion was made for other services.")
            }
            return (try await broker.enabledProvider(offer.provider), .identity(offer.identity))
        case .list(let provider):
            return (try await broker.enabledProvider(provider), .list)
        case .oneTimeCodes, .text:
            throw ProtocolError(.noProvider, "No enabled provider has that.")
        }
    }

    private func relay(
        _ bundle: ProviderBundle, _ parameters: Fill.Parameters, _ connection: Connection, _ request: Int
    ) -> InterfaceRelay {
        let service = parameters.services.first.map { service in
            ServiceAddress(service, suffixes: broker.suggester.suffixes)?.host.text
                ?? DisplayText.line(service.identifier)
        }
        let relay = InterfaceRelay(
            client: connection, request: request, provider: bundle.reference, service: service)
        relays.withLock { $0[request] = relay }
        return relay
    }

    // MARK: - Services

    private func connectService(_ provider: String?, _ connection: Connection) async throws -> ConnectService.Result {
        let bundle = try await broker.enabledProvider(provider)
        guard let session = connection.peerSession else {
            throw ProtocolError(.refused, "The kernel does not say which terminal session this is.")
        }
        let end = try await broker.processes.connectService(of: bundle, for: .terminal(session))
        return ConnectService.Result(connection: end)
    }
}
