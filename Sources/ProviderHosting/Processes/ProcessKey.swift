import AutoFillProtocol
import AutoFillWire
package import KeywaySystem

extension BundleProcesses {
    /// Who a request comes from, as far as processes are kept apart by it: what an extension learns for one terminal it
    /// tells no other, and an unlock in one terminal opens a vault to the extensions of that terminal.
    package enum Caller: Hashable, Sendable {
        /// A page, in whichever browser.
        case browser
        /// A program in one terminal session.
        case terminal(TerminalSession)

        /// How the extension that answers such a caller is made known to the bundle's service.
        var serviceClient: ServiceClient {
            switch self {
            case .browser: .providerExtension
            case .terminal(let session): .extensionForTerminal(session)
            }
        }
    }

    /// What a process is there for.
    package enum Use: Hashable, Sendable {
        /// Requests that need no interface, and that somebody waits for.
        case quiet
        /// Requests while the person looks at an interface: a fill elsewhere need not wait for them.
        case interactive
        /// Requests that nobody waits for.
        case background
        /// Everything, while the provider's author looks at it.
        case debugged
        /// The long-running half.
        case service
        /// One activity, by its number: each has a process of its own.
        case activity(Int)

        var role: Role {
            switch self {
            case .service: .providerService
            case .activity: .providerApplication
            case .quiet, .interactive, .background, .debugged: .providerExtension
            }
        }

        /// Which of the bundle's programs it is; nil where the bundle has none for it.
        func program(of bundle: ProviderBundle) -> String? {
            switch role {
            case .providerService: bundle.servicePath
            case .providerApplication: bundle.activityPath
            default: bundle.extensionPath
            }
        }
    }

    /// What makes two processes of a bundle different ones.
    struct Key: Hashable, Sendable {
        let provider: String
        let use: Use
        /// Nil for the service, which there is one of.
        let caller: Caller?

        /// A process that fails makes others of its kind wait, whoever they are for.
        var kind: Kind { Kind(provider: provider, use: use) }
    }

    struct Kind: Hashable, Sendable {
        let provider: String
        let use: Use
    }

    /// What only one request at a time may have.
    enum Exclusive: Hashable, Sendable {
        /// What the person looks at: their terminal, or the place where a browser's requests are shown.
        case presenter(Caller)
        /// The interface of one provider.
        case interface(provider: String)
        case process(Key)
    }
}
