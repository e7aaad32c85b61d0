import AuthenticationServices

/// The whole program of the service: watches the store, and looks after locked keys, for as long as the system runs it.
public func runStoreService() -> Never {
    let listener: KeywayServiceListener
    do {
        listener = try KeywayServiceListener()
    } catch {
        FileHandle.standardError.write(Data("\(error.localizedDescription)\n".utf8))
        exit(EXIT_FAILURE)
    }
    Thread.detachNewThread { StoreWatcher(SystemIdentityStore()).run() }
    Task {
        let keys = KeyWatch { listener.report(.ready) }
        for await connection in listener {
            Task { if let name = await EntryMessage.receive(connection) { keys.watch(name) } }
        }
        // The system lets go of the service.
        exit(EXIT_SUCCESS)
    }
    while true { RunLoop.main.run() }
}
