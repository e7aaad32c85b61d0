import AutoFillProtocol
import AutoFillWire
import Foundation
import KeywaySystem

/// Runs an application that the system started for an activity, which the controller continues that `makeController` makes:
/// for programs with a `main.swift`, which ask ``KeywayActivityController/isWanted`` first. Returns never; the process ends
/// when the broker lets go of it.
@MainActor
public func runKeywayActivityController(
    _ makeController: @escaping @MainActor () -> KeywayActivityController
) -> Never {
    do {
        try ProcessHardening.applyUnlessDebugged()
        let server = ActivityServer(broker: .process, makeController: makeController)
        let connection = Connection(
            descriptor: try BrokerLink.inheritedDescriptor(), peer: .known(.broker), methods: server.methods)
        connection.onClose { exit(EXIT_SUCCESS) }
        BrokerLink.process.greet(over: connection, as: .providerApplication)
        connection.start()
        Task {
            do {
                _ = try await BrokerLink.process.connection()
            } catch {
                Log.line("\(error)")
                exit(EXIT_FAILURE)
            }
        }
    } catch {
        Log.line("\(error)")
        exit(EXIT_FAILURE)
    }
    while true { RunLoop.main.run() }
}
