import AutoFillProtocol
import AutoFillWire

/// Lists the history for approved terminals (``ListHistory/callers``), and clears it once the person was verified.
final class HistoryDoor: Sendable {
    private let admission: ClientAdmission
    private let place: ClientPlace
    private let history: History
    private let person: PersonMethods
    private let sites: ConfirmedSites

    init(
        admission: ClientAdmission, place: ClientPlace, history: History, person: PersonMethods, sites: ConfirmedSites
    ) {
        self.admission = admission
        self.place = place
        self.history = history
        self.person = person
        self.sites = sites
    }

    /// Answers questions about the history.
    func add(to table: inout MethodTable) {
        table.on(ListHistory.self) { parameters, _ in try await self.history.list(parameters) }
        table.on(ClearHistory.self) { _, context in
            let method = try await self.person.verifyPerson(
                "to clear the history", through: self.place.presenter(true, context))
            try self.sites.forgetAll()
            try await self.history.clear(for: self.admission.clientName(context), by: method)
            return Nothing()
        }
    }
}
