import AutoFillProtocol
import AutoFillWire
import BrokerBase
import IdentityIndex
import KeywaySystem
import PasswordRules
import ProviderHosting
import ServiceMatching

/// What a client may be suggested.
final class SuggestionDoor: Sendable {
    private let admission: ClientAdmission
    private let notes: RequestNotes
    private let place: ClientPlace
    private let pages: PasskeyPages
    private let directory: ProviderDirectory
    private let suggester: Suggester
    private let handles: SuggestionHandles
    private let filled: FilledAccount
    private let clock: any TimeSource
    private let connections: ClientConnections
    private let quirks: SiteQuirks?

    init(
        admission: ClientAdmission, notes: RequestNotes, place: ClientPlace, pages: PasskeyPages,
        directory: ProviderDirectory, suggester: Suggester, handles: SuggestionHandles,
        filled: FilledAccount, clock: any TimeSource, connections: ClientConnections,
        quirks: SiteQuirks?
    ) {
        self.admission = admission
        self.notes = notes
        self.place = place
        self.pages = pages
        self.directory = directory
        self.suggester = suggester
        self.handles = handles
        self.filled = filled
        self.clock = clock
        self.connections = connections
        self.quirks = quirks
    }

    /// Answers who wants suggestions.
    func add(to table: inout MethodTable) {
        table.on(Suggest.self) { parameters, context in
            self.notes.remark(parameters, context)
            try self.admission.count(parameters.services, context)
            if let passkeys = parameters.passkeys {
                try RequestBounds.check(passkeys)
                try await self.pages.check(
                    try RequestBounds.check(passkeys.relyingParty, self.place.suffixes), for: parameters.services,
                    isPrivate: parameters.isPrivate == true, context)
            }
            let result = try await self.suggest(parameters, context.role)
            // Each site of a group that accounts are told of counts as if it had been asked for.
            try self.admission.count(
                result.suggestions.filter { $0.match == .shared }.map { ServiceIdentifier($0.service, kind: .url) },
                context)
            return result
        }
    }

    private func suggest(_ parameters: Suggest.Parameters, _ role: Role) async throws -> Suggest.Result {
        if role == .browser { try place.checkPages(parameters.services) }
        let providers = try await directory.enabled()
        let limits = connections.handleLimits
        let pages = parameters.services.compactMap { ServiceAddress($0, suffixes: suggester.suffixes) }
        let account = filled.account(on: pages, isPrivate: parameters.isPrivate == true, at: clock.nowWithSleep)
        return try await suggester.suggest(
            parameters, from: providers, namesRecords: role == .terminal, filled: account,
            sharing: sharing(parameters)
        ) {
            handles.add($0, for: parameters.services, limits: limits)
        }
    }

    /// The most sites of a group that are looked at.
    private static let maximumShared = 100

    /// The sites whose accounts are good at the first service, where they are wanted. A page that others can read along
    /// with, one that asks by HTTP itself, and one whose name ends in a dot have accounts of their own alone.
    private func sharing(_ parameters: Suggest.Parameters) -> [ServiceAddress] {
        guard parameters.includesShared == true, let quirks, let service = parameters.services.first,
            service.realm == nil, let page = ServiceAddress(service, suffixes: suggester.suffixes),
            page.scheme == .https, page.host.kind == .domain, !page.host.isAbsolute
        else { return [] }
        return quirks.sitesSharing(with: page.host.text, in: page.site).prefix(Self.maximumShared).compactMap {
            ServiceAddress(ServiceIdentifier($0, kind: .domain), suffixes: suggester.suffixes)
        }
    }
}
