import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import Synchronization
import SystemBus

/// Lets the methods of a process, which must exist before it does, find it.
final class PresentRelay: Sendable {
    let process = Mutex<BundleProcess?>(nil)
}

extension BundleProcesses {
    /// What a process of `bundle` may ask. Whose process it is, and for which caller, was settled when it was started.
    nonisolated func methods(for bundle: ProviderBundle, _ key: Key, _ relay: PresentRelay) -> MethodTable {
        let caller = key.caller
        var table = MethodTable()
        if case .activity(let number) = key.use {
            surroundings.activities?.addMethods(to: &table, for: bundle, activity: number)
        }
        surroundings.stores.addMethods(to: &table, for: bundle.reference.identifier) { () throws(ProtocolError) in
            try await self.check(bundle)
            return bundle.reference.identifier
        }
        table.on(GroupContainer.self) { parameters, _ in
            GroupContainer.Result(path: try self.groups.container(parameters.group, for: bundle))
        }
        table.on(CommitChanges.self) { parameters, _ in
            try await self.check(bundle)
            try await self.launcher.commit(parameters, of: bundle)
            return Nothing()
        }
        table.on(ConnectService.self) { _, _ in
            let process = relay.process.withLock { $0 }
            let client = try await self.serviceClient(of: process, for: caller)
            return ConnectService.Result(connection: try await self.connectService(of: bundle, for: client))
        }
        table.on(ConnectSystemBus.self) { _, _ in
            guard bundle.sandbox?.systemBus == true else {
                throw ProtocolError(.refused, "The bundle does not declare KeywaySandbox.SystemBus.")
            }
            do throws(BusError) {
                return ConnectSystemBus.Result(connection: Attachment(try SystemBusSocket.open()))
            } catch {
                throw ProtocolError(.notFound, "The system bus cannot be reached: \(error).")
            }
        }
        table.on(ReceivedPresent.self) { parameters, _ in
            relay.process.withLock { $0 }?.present(parameters)
        }
        table.on(VerifyPerson.self) { parameters, _ in
            guard let process = relay.process.withLock({ $0 }) else {
                throw ProtocolError(.connectionClosed, "The process has ended.")
            }
            return try await process.verifyPerson(parameters)
        }
        table.on(PermitService.self) { parameters, _ in
            try await self.surroundings.permit(parameters, bundle)
            return Nothing()
        }
        table.on(NoteRenewedVault.self) { parameters, _ in
            await self.surroundings.renewed(parameters, bundle)
            return Nothing()
        }
        table.on(ReadServiceLimits.self) { _, _ in .init(idleLimit: self.surroundings.idleLimit()) }
        table.on(ServiceStateChanged.self) { parameters, _ in
            self.serviceChanged(bundle.reference.identifier, parameters.state)
        }
        return table
    }

    /// As whom an extension is made known to its service. One that is being debugged is a session of its own, which ends
    /// with it: nothing that anybody else unlocked opens to it, and what is unlocked through it opens to nobody else.
    ///
    /// - Throws: ``ProtocolError`` with the code `connectionClosed` when the process has ended.
    private nonisolated func serviceClient(
        of process: BundleProcess?, for caller: Caller?
    ) async throws(ProtocolError) -> ServiceClient {
        guard let process, process.isDebugged else { return caller?.serviceClient ?? .providerExtension }
        guard let session = TerminalSession(of: await process.identified()) else {
            throw process.fail("has ended", .connectionClosed)
        }
        return .extensionForTerminal(session)
    }

    /// Whether the bundle is still there and on: one that was removed, or that changed, while its processes run has no
    /// store any more.
    private nonisolated func check(_ bundle: ProviderBundle) async throws(ProtocolError) {
        guard try await surroundings.enabled().contains(bundle) else {
            throw ProtocolError(.disabled, "The provider is not turned on, so it has no store.")
        }
    }

    private nonisolated func serviceChanged(_ provider: String, _ state: ServiceState) {
        let before = states.set(provider, state)
        guard state == .locked, before == .ready else { return }
        log("\(provider) locked")
        Task { await endExtensions(of: provider) }
    }
}
