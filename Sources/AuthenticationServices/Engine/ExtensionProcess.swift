import AutoFillWire
import Foundation
import KeywaySystem

extension ASCredentialProviderViewController {
    /// The whole program of an extension: write `@main` in front of the subclass, whose `init?(coder:)` makes the
    /// controllers.
    public class func main() {
        runCredentialProviderExtension(self)
    }

    /// A controller as a storyboard makes it: by the one initialiser that every subclass has. The coder holds nothing.
    ///
    /// - Returns: nil where the initialiser does.
    package class func decoded() -> Self? {
        self.init(coder: CoderOfNothing())
    }
}

/// Runs an extension whose requests are answered by controllers of the type `controller`, made by `init?(coder:)`: for
/// programs with a `main.swift`. Returns never; the process ends when the broker lets go of it.
@MainActor
public func runCredentialProviderExtension(_ controller: ASCredentialProviderViewController.Type) -> Never {
    runCredentialProviderExtension {
        guard let made = controller.decoded() else {
            Log.line("\(controller).init(coder:) returned nil; make the controller by a closure instead.")
            exit(EXIT_FAILURE)
        }
        return made
    }
}

/// Runs an extension whose requests are answered by the controllers that `makeController` makes, a new one for each: for
/// controllers with initialisers of their own. Returns never.
@MainActor
public func runCredentialProviderExtension(
    _ makeController: @escaping @MainActor () -> ASCredentialProviderViewController
) -> Never {
    do {
        try ProcessHardening.applyUnlessDebugged()
        try connect(ExtensionServer(broker: .process, makeController: makeController))
    } catch {
        giveUp(error)
    }
    while true { RunLoop.main.run() }
}

@MainActor
private func connect(_ server: ExtensionServer) throws {
    let connection = Connection(
        descriptor: try BrokerLink.inheritedDescriptor(), peer: .known(.broker), methods: server.methods)
    connection.onClose { exit(EXIT_SUCCESS) }
    BrokerLink.process.greet(over: connection, as: .providerExtension)
    connection.start()
    Task {
        do {
            _ = try await BrokerLink.process.connection()
        } catch {
            giveUp(error)
        }
    }
}

private func giveUp(_ error: any Error) -> Never {
    // A broker that ends while it is being greeted is the ordinary end.
    if (error as? ProtocolError)?.code == .connectionClosed { exit(EXIT_SUCCESS) }
    Log.line("\(error)")
    exit(EXIT_FAILURE)
}
