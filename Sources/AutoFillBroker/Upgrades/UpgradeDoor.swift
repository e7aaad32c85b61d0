import AutoFillProtocol
import AutoFillWire
import BrokerBase
import IdentityIndex
import KeywaySystem
import ProviderHosting
import ServiceMatching

/// Passkeys that are made without asking anybody, for accounts that were just signed in to with their password.
final class UpgradeDoor: Sendable {
    private let admission: ClientAdmission
    private let notes: RequestNotes
    private let place: ClientPlace
    private let questions: ClientQuestions
    private let directory: ProviderDirectory
    private let suggester: Suggester
    private let clock: any TimeSource
    private let person: PersonMethods
    private let upgrades: Upgrades
    private let announcer: UpgradeAnnouncer
    private let suffixes: PublicSuffixes

    init(
        admission: ClientAdmission, notes: RequestNotes, place: ClientPlace, questions: ClientQuestions,
        directory: ProviderDirectory, suggester: Suggester, clock: any TimeSource, person: PersonMethods,
        upgrades: Upgrades, announcer: UpgradeAnnouncer, suffixes: PublicSuffixes
    ) {
        self.admission = admission
        self.notes = notes
        self.place = place
        self.questions = questions
        self.directory = directory
        self.suggester = suggester
        self.clock = clock
        self.person = person
        self.upgrades = upgrades
        self.announcer = announcer
        self.suffixes = suffixes
    }

    /// Remembers a password that was filled; of a private window nothing.
    func noteFill(
        _ credential: Fill.Credential, of bundle: ProviderBundle, _ parameters: Fill.Parameters,
        _ context: RequestContext
    ) {
        guard parameters.isPrivate != true, case .password(let user, _) = credential else { return }
        let client = fillClient(context)
        for page in Set(parameters.services.compactMap({ ServiceAddress($0, suffixes: suffixes) })) {
            upgrades.fills.add(user, of: bundle.reference.identifier, in: page, for: client)
        }
        // What takes longest is known then when the page asks.
        guard Capability.registeringInBackground.isDeclared(bundle.capabilities) else { return }
        context.afterAnswering { [person] in Task { await person.prospect.isGood() } }
    }

    /// Makes a passkey in the background where every condition is met.
    ///
    /// - Throws: ``Upgrades/refusal`` for every other one, and not before ``Upgrades/patience``: neither the answer nor
    ///   the time it takes says which accounts and which passkeys there are.
    func upgrade(
        _ parameters: RegisterPasskey.Parameters, at party: RelyingParty, _ context: RequestContext
    ) async throws(ProtocolError) -> RegisterPasskey.Result {
        let began = clock.now
        do throws(UnmetCondition) {
            let bundle = try await upgrader(parameters, party, context)
            let credential = try await makeUnasked(parameters, at: party, bundle, context)
            notes.remark(context) { $0.detail = "created in the background, after its password was filled" }
            let made = Upgrades.Made(
                provider: bundle.reference, party: party, user: parameters.registration.userName,
                credentialID: credential.credentialID, caller: (try? place.caller(context)) ?? .browser,
                canTakeBack: Capability.reports.isDeclared(bundle.capabilities))
            context.afterAnswering { [announcer] in Task { await announcer.announce(made) } }
            return RegisterPasskey.Result(credential: credential, provider: bundle.reference)
        } catch {
            notes.remark(context) { $0.refusal = error.sentence }
            let rest = Upgrades.patience - clock.now.since(began)
            if rest > .zero { try? await clock.sleep(for: rest) }
            throw Upgrades.refusal
        }
    }

    /// Who is to make it. Everything is looked at before anything is decided.
    private func upgrader(
        _ parameters: RegisterPasskey.Parameters, _ party: RelyingParty, _ context: RequestContext
    ) async throws(UnmetCondition) -> ProviderBundle {
        let registration = parameters.registration
        let providers = await readable { () async throws(ProtocolError) in try await directory.enabled() }
        let able = (providers ?? []).filter {
            Capability.registeringInBackground.isDeclared($0.capabilities)
                && (parameters.provider ?? $0.reference.identifier) == $0.reference.identifier
        }
        let filler = upgrades.fills.provider(
            of: registration.userName, at: party, from: asker(parameters), for: fillClient(context))
        let canVerify = await person.prospect.isGood()
        let hasPasskey = await hasPasskey(registration, party, providers ?? [])
        let bundle = able.first { $0.reference.identifier == filler }
        notes.remark(context) { $0.provider = bundle?.reference }
        guard parameters.isPrivate != true else { throw .privateWindow }
        guard providers != nil, let hasPasskey else { throw .unreadable }
        guard !able.isEmpty else { throw .noProvider }
        guard canVerify else { throw .noVerification }
        guard filler != nil else { throw .notFilled }
        guard let bundle else { throw .filledByAnother }
        guard !hasPasskey else { throw .hasPasskey }
        guard !upgrades.wasTakenBack(registration.userName, at: party) else { throw .takenBack }
        return bundle
    }

    /// Whether a provider has a passkey of the account, or one that the site does not want a second one beside; nil where
    /// that cannot be read.
    private func hasPasskey(
        _ registration: PasskeyRegistration, _ party: RelyingParty, _ providers: [ProviderBundle]
    ) async -> Bool? {
        await readable { () async throws(ProtocolError) in
            let offers = try await suggester.offers(
                PasskeyFilter(relyingParty: party.identifier),
                for: [ServiceIdentifier(party.identifier, kind: .domain)], from: providers)
            return offers.contains { found in
                let identity = found.offer.identity
                guard let passkey = identity.passkey else { return false }
                return identity.user == registration.userName || passkey.userHandle == registration.userHandle
                    || registration.excludedCredentials.contains(passkey.credentialID)
            }
        }
    }

    /// The page that asks.
    private func asker(_ parameters: RegisterPasskey.Parameters) -> ServiceAddress? {
        parameters.services?.first.flatMap { ServiceAddress($0, suffixes: suffixes) }
    }

    private func makeUnasked(
        _ parameters: RegisterPasskey.Parameters, at party: RelyingParty, _ bundle: ProviderBundle,
        _ context: RequestContext
    ) async throws(UnmetCondition) -> PasskeyRegistrationCredential {
        let registration = parameters.registration
        // Who asks twice at a time, from two windows for one, does not get two: since the look others may have been here.
        let filler = upgrades.fills.take(
            registration.userName, at: party, from: asker(parameters), for: fillClient(context))
        guard filler == bundle.reference.identifier else { throw .notFilled }
        // A page that takes its request back does not keep the person from hearing of what was made already.
        let making = Task {
            await readable { () async throws(ProtocolError) in
                try await questions.ask(
                    bundle, .registration(registration, isConditional: true),
                    for: ServiceIdentifier(party.identifier, kind: .domain), presents: false, context)
            }
        }
        let result = await making.value
        // What the provider says of its failure is not passed on to anybody: it may say anything.
        guard case .passkeyRegistration(let credential) = result else { throw .declined }
        return credential
    }

    /// What `body` finds; nil where it fails.
    private func readable<Found>(_ body: () async throws(ProtocolError) -> Found) async -> Found? {
        do throws(ProtocolError) { return try await body() } catch { return nil }
    }

    private func fillClient(_ context: RequestContext) -> RecentFills.Client {
        if case .terminal(let session) = try? place.caller(context) { return .terminal(session) }
        guard let client = try? admission.client(context) else {
            return .connection(ObjectIdentifier(context.connection))
        }
        return .program(client.identity)
    }
}
