import Foundation

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
    ServedProcess.run(as: .providerExtension) {
        ExtensionServer(broker: .process, makeController: makeController).methods
    }
}
