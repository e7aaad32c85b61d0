import AutoFillProtocol
import AutoFillWire

/// What a client may ask of the programs that ask.
final class ClientListDoor: Sendable {
    private let newSites: SiteDoor
    private let clients: Clients

    init(
        newSites: SiteDoor, clients: Clients
    ) {
        self.newSites = newSites
        self.clients = clients
    }

    /// Answers who asks for programs, or changes what was said to them.
    func add(to table: inout MethodTable) {
        table.on(ListClients.self) { _, _ in try await self.clients.list() }
        table.on(ChangeClient.self) { parameters, context in
            if case .allowSite(let site) = parameters.change {
                try await self.newSites.allow(site, parameters.identifier, context)
            }
            return try await self.clients.change(parameters, from: context.connection, context)
        }
    }
}
