import AutoFillProtocol
import AutoFillWire

/// What a client may ask of what is installed.
final class ProviderDoor: Sendable {
    private let admission: ClientAdmission
    private let notes: RequestNotes
    private let installed: InstalledProviders
    private let decisions: ProviderDecisions
    private let firstRun: FirstRunChoices

    init(
        admission: ClientAdmission, notes: RequestNotes, installed: InstalledProviders, decisions: ProviderDecisions,
        firstRun: FirstRunChoices
    ) {
        self.firstRun = firstRun
        self.admission = admission
        self.notes = notes
        self.installed = installed
        self.decisions = decisions
    }

    /// Answers who asks for providers, or changes what is on.
    func add(to table: inout MethodTable) {
        table.on(ListProviders.self) { _, context in
            try await self.installed.listProviders(countsAccounts: await self.admission.mayKnowAccounts(context))
        }
        table.on(SetProviderEnabled.self) { parameters, context in
            if parameters.isEnabled {
                try await self.decisions.confirmEnabling(
                    parameters.identifier, mayRunUnconfined: parameters.mayRunUnconfined ?? false,
                    from: context.connection)
            } else {
                try await self.decisions.confirmDisabling(parameters.identifier, from: context.connection)
            }
            let result = try await self.installed.setProvider(
                parameters.identifier, isEnabled: parameters.isEnabled,
                mayRunUnconfined: parameters.mayRunUnconfined ?? false)
            // Whatever a first run left undone, the person has decided now.
            try self.firstRun.change { $0.isUnfinished = false }
            self.notes.remark(
                approval: result.provider.reference, parameters.isEnabled ? "turned on" : "turned off", context)
            return result
        }
        table.on(OrderProviders.self) { parameters, context in
            self.notes.remark(change: "order of providers", context)
            return try await self.installed.orderProviders(parameters.identifiers)
        }
        table.on(LockProvider.self) { parameters, _ in
            let bundle = try await self.installed.directory.provider(parameters.identifier)
            await self.installed.processes.lock(bundle.reference.identifier)
            return Nothing()
        }
        table.on(ApproveApplication.self) { parameters, context in
            let result = try await self.installed.approve(parameters, from: context.connection)
            let detail = "\(parameters.path) \(parameters.isApproved ? "approved" : "revoked")"
            self.notes.remark(approval: result.provider.reference, detail, context)
            return result
        }
    }
}
