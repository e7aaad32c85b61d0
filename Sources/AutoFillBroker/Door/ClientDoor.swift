import KeywaySystem
import AutoFillWire
import AutoFillProtocol
import IdentityIndex
import ProviderHosting
import ServiceMatching
import Synchronization

/// What one client of the broker has to do with it: its methods, its handles, its open requests.
final class ClientDoor: Sendable {
    let broker: Broker
    let handles = SuggestionHandles()
    /// What the process ran when it connected; nil for a known program, and where that is not told.
    let arrival = Mutex<ClientProgram?>(nil)
    /// What the person said to the program when it last asked; nil before, and for apps of providers.
    let admitted = Mutex<ClientGrants.Grant?>(nil)
    /// Who that was; nil before.
    let admittedClient = Mutex<ConnectedClient?>(nil)
    /// What its process was last seen to run.
    let sighting = Mutex<ClientSighting?>(nil)
    /// Whether a shell has had time to give its terminal to the process that connected.
    let hasSettled = Atomic(false)
    private let relays = Mutex<[Int: InterfaceRelay]>([:])
    /// What the open requests are about.
    let subjects = Mutex<[Int: HistorySubject]>([:])

    init(broker: Broker) {
        self.broker = broker
        broker.stores.opened.add(handles)
    }

    var suffixes: PublicSuffixes { broker.suggester.suffixes }

    var methods: MethodTable {
        var table = MethodTable()
        table.on(BrokerStatus.self) { _, _ in await self.broker.status() }
        table.on(Suggest.self) { parameters, context in
            self.remark(parameters, context)
            try self.count(parameters.services, context)
            if let passkeys = parameters.passkeys {
                try RequestBounds.check(passkeys)
                try await self.check(
                    try RequestBounds.check(passkeys.relyingParty, self.suffixes), for: parameters.services,
                    isPrivate: parameters.isPrivate == true, context)
            }
            return try await self.suggest(parameters, context.role)
        }
        addRequests(to: &table)
        table.on(PresentationEvent.self) { parameters, _ in
            self.relays.withLock { $0[parameters.request] }?.receive(parameters.event)
        }
        addProviders(to: &table)
        addApps(to: &table)
        table.on(ConnectService.self) { parameters, context in
            try await self.connectService(parameters.provider, context)
        }
        addClients(to: &table)
        broker.apps.add(to: &table)
        addVerification(to: &table)
        addHistory(to: &table)
        table.guardAll(except: Self.openMethods) { _, context in try await self.admit(context) }
        noteAll(in: &table)
        return table
    }

    private func addProviders(to table: inout MethodTable) {
        table.on(ListProviders.self) { _, context in
            try await self.broker.installed.listProviders(countsAccounts: await self.mayKnowAccounts(context))
        }
        table.on(SetProviderEnabled.self) { parameters, context in
            if parameters.isEnabled {
                try await self.broker.decisions.confirmEnabling(
                    parameters.identifier, mayRunUnconfined: parameters.mayRunUnconfined ?? false,
                    from: context.connection)
            } else {
                try await self.broker.decisions.confirmDisabling(parameters.identifier, from: context.connection)
            }
            let result = try await self.broker.installed.setProvider(
                parameters.identifier, isEnabled: parameters.isEnabled,
                mayRunUnconfined: parameters.mayRunUnconfined ?? false)
            self.remark(approval: result.provider.reference, parameters.isEnabled ? "turned on" : "turned off", context)
            return result
        }
        table.on(OrderProviders.self) { parameters, context in
            self.remark(change: "order of providers", context)
            return try await self.broker.installed.orderProviders(parameters.identifiers)
        }
        table.on(ConfigureProvider.self) { parameters, context in
            try await self.configure(parameters, context)
        }
        table.on(DebugProvider.self) { parameters, context in try await self.debug(parameters, context) }
        table.on(ApproveApplication.self) { parameters, context in
            let result = try await self.broker.installed.approve(parameters, from: context.connection)
            let detail = "\(parameters.path) \(parameters.isApproved ? "approved" : "revoked")"
            self.remark(approval: result.provider.reference, detail, context)
            return result
        }
    }

    private func addClients(to table: inout MethodTable) {
        table.on(ListClients.self) { _, _ in try await self.broker.clients.list() }
        table.on(ChangeClient.self) { parameters, context in
            if case .allowSite(let site) = parameters.change {
                try await self.allow(site, parameters.identifier, context)
            }
            return try await self.broker.clients.change(parameters, from: context.connection, context)
        }
    }

    // MARK: - Suggest

    private func suggest(_ parameters: Suggest.Parameters, _ role: Role) async throws -> Suggest.Result {
        if role == .browser { try checkPages(parameters.services) }
        let providers = try await broker.directory.enabled()
        let limits = broker.handleLimits
        return try await broker.suggester.suggest(parameters, from: providers, namesRecords: role == .terminal) {
            handles.add($0, for: parameters.services, limits: limits)
        }
    }

    /// A browser asks for pages: a domain alone would pass an insecure page off as a secure one.
    func checkPages(_ services: [ServiceIdentifier]) throws(ProtocolError) {
        for service in services {
            guard service.kind == .url, ServiceAddress(service, suffixes: suffixes) != nil else {
                throw ProtocolError(.invalidParameters, "A browser names pages, as URLs of http or https.")
            }
        }
    }

    // MARK: - Who asks, and where it is shown

    /// Who asks, from the kernel.
    ///
    /// - Throws: ``ProtocolError`` with the code `refused` for a terminal whose session is not known.
    func caller(_ context: RequestContext) throws(ProtocolError) -> BundleProcesses.Caller {
        guard context.role == .terminal else { return .browser }
        guard let session = context.connection.peerSession else {
            throw ProtocolError(.refused, "The kernel does not say which terminal session this is.")
        }
        return .terminal(broker.isInBackground(context.connection) ? session.inBackground : session)
    }

    /// Runs `body` with the place where interfaces are shown for a request; nil when its caller shows none.
    func presenting<Result>(
        _ presents: Bool, _ bundle: ProviderBundle, _ service: ServiceIdentifier?, _ context: RequestContext,
        purpose: PresentationShow.Purpose? = nil,
        _ body: (InterfaceRelay?) async throws(ProtocolError) -> Result
    ) async throws(ProtocolError) -> Result {
        guard presents else {
            guard context.role != .terminal || purpose == .configuration, let sheets = broker.sheets else {
                return try await body(nil)
            }
            // A browser shows nothing of this in the page, an app nothing in its window: the system does, in a window of its own. So it does when a
            // provider is set up by a program that has no terminal.
            let relay = sheets.relay(provider: bundle.reference, service: service.map(name), purpose: purpose)
            defer { sheets.end(relay) }
            return try await body(relay)
        }
        // Whoever is in the background draws nothing on the terminal, and is shown nothing.
        if absence(context) != nil { return try await body(nil) }
        guard let request = context.requestID, context.role == .terminal else {
            throw ProtocolError(.notAllowed, "A \(context.role.rawValue) shows no interface.")
        }
        let relay = InterfaceRelay(
            client: context.connection, request: request, provider: bundle.reference, service: service.map(name),
            purpose: purpose)
        relays.withLock { $0[request] = relay }
        defer { relays.withLock { _ = $0.removeValue(forKey: request) } }
        return try await body(relay)
    }

    /// How people call a service.
    func name(_ service: ServiceIdentifier) -> String {
        ServiceAddress(service, suffixes: suffixes)?.host.text ?? DisplayText.line(service.identifier)
    }
}
