import AutoFillProtocol
import AutoFillWire
import IdentityIndex
import KeywaySystem
import ServiceMatching

/// The door of one client: all that it may ask, each part made with what it uses.
struct ClientDoor {
    /// Who the client is, and what it may.
    let admission: ClientAdmission
    /// What it may call.
    let methods: MethodTable

    /// A door of `broker`.
    init(of broker: Broker) {
        let suffixes = broker.suggester.suffixes
        let handles = SuggestionHandles()
        let filled = FilledAccount()
        broker.stores.opened.add(handles)
        broker.stores.opened.add(filled)
        let admission = ClientAdmission(
            clock: broker.clock, limits: broker.limits, clients: broker.clients, notices: broker.notices,
            suffixes: suffixes, knownGroup: broker.knownGroup, connections: broker.connections,
            policy: broker.policy)
        let notes = RequestNotes(
            admission: admission, history: broker.history, clock: broker.clock, suffixes: suffixes)
        let place = ClientPlace(
            notes: notes, person: broker.person, hasTerminal: broker.hasTerminal, isInBackground: broker.isInBackground,
            suffixes: suffixes, sheets: broker.sheets)
        let questions = ClientQuestions(
            notes: notes, place: place, desk: broker.desk)
        let pages = PasskeyPages(
            notes: notes, place: place, directory: broker.directory, suggester: broker.suggester,
            relatedOrigins: broker.relatedOrigins, suffixes: suffixes)
        let upgrading = UpgradeDoor(
            admission: admission, notes: notes, place: place, questions: questions, directory: broker.directory,
            suggester: broker.suggester, clock: broker.clock, person: broker.person, upgrades: broker.upgrades,
            announcer: broker.announcer, suffixes: suffixes)
        let newSites = SiteDoor(
            admission: admission, notes: notes, clock: broker.clock, sites: broker.sites,
            siteRefusals: broker.siteRefusals, limits: broker.limits, consent: broker.consent, clients: broker.clients,
            hasTerminal: broker.hasTerminal, suffixes: suffixes)
        let authorization = AuthorizationDoor(
            admission: admission, notes: notes, place: place, questions: questions, upgrading: upgrading,
            directory: broker.directory, desk: broker.desk, stores: broker.stores, suggester: broker.suggester,
            clock: broker.clock, person: broker.person, hasTerminal: broker.hasTerminal, appSites: broker.appSites,
            answers: broker.answers, notices: broker.notices, suffixes: suffixes)
        let passkeys = PasskeyDoor(
            admission: admission, notes: notes, place: place, questions: questions, pages: pages, upgrading: upgrading,
            authorization: authorization, directory: broker.directory, desk: broker.desk, suggester: broker.suggester,
            person: broker.person, suffixes: suffixes)

        let saving = SavingDoor(
            admission: admission, notes: notes, place: place, questions: questions, directory: broker.directory,
            desk: broker.desk, stores: broker.stores, consent: broker.consent,
            unsaved: broker.unsaved, pauses: broker.savingPauses,
            quirks: broker.quirks, clock: broker.clock, suffixes: suffixes)

        var table = MethodTable()
        StatusDoor(
            policy: broker.policy, stores: broker.stores, processes: broker.processes, clock: broker.clock,
            connections: broker.connections, started: broker.started, program: broker.program
        ).add(to: &table)
        SuggestionDoor(
            admission: admission, notes: notes, place: place, pages: pages, directory: broker.directory,
            suggester: broker.suggester, handles: handles, filled: filled, clock: broker.clock,
            connections: broker.connections, quirks: broker.quirks
        ).add(to: &table)
        RequestDoor(
            admission: admission, notes: notes, place: place, questions: questions, pages: pages, upgrading: upgrading,
            newSites: newSites, authorization: authorization, passkeys: passkeys, saving: saving,
            quirks: broker.quirks, directory: broker.directory, desk: broker.desk, stores: broker.stores,
            suffixes: suffixes, handles: handles, filled: filled, clock: broker.clock
        ).add(to: &table)
        saving.add(to: &table)
        CodeSetupDoor(notes: notes, questions: questions, directory: broker.directory, consent: broker.consent)
            .add(to: &table)
        FirstRunDoor(
            notes: notes, choices: broker.firstRun, installed: broker.installed, consent: broker.consent,
            person: broker.person
        ).add(to: &table)
        passkeys.add(to: &table)
        table.on(PresentationEvent.self) { parameters, _ in place.receive(parameters) }
        ProviderDoor(
            admission: admission, notes: notes, installed: broker.installed, decisions: broker.decisions,
            firstRun: broker.firstRun
        ).add(to: &table)
        DebuggingDoor(
            admission: admission, notes: notes, place: place, directory: broker.directory, processes: broker.processes,
            debugging: broker.debugging, hasTerminal: broker.hasTerminal
        ).add(to: &table)
        authorization.add(to: &table)
        ExchangeDoor(
            admission: admission, notes: notes, place: place, authorization: authorization, apps: broker.apps,
            directory: broker.directory, desk: broker.exchange, hasTerminal: broker.hasTerminal
        ).add(to: &table)
        ServiceDoor(
            admission: admission, notes: notes, place: place, directory: broker.directory, processes: broker.processes,
            conversations: broker.conversations, history: broker.history, person: broker.person,
            clock: broker.clock
        ).add(to: &table)
        ClientListDoor(
            newSites: newSites, clients: broker.clients
        ).add(to: &table)
        broker.apps.add(to: &table)
        VerificationDoor(
            notes: notes, place: place, person: broker.person
        ).add(to: &table)
        HistoryDoor(
            admission: admission, place: place, history: broker.history, person: broker.person, sites: broker.sites
        ).add(to: &table)
        table.guardAll(except: ClientAdmission.openMethods) { _, context in try await admission.admit(context) }
        notes.noteAll(in: &table)
        self.admission = admission
        methods = table
    }
}
