package import AutoFillProtocol
package import AutoFillWire

extension BrokerStatus: DocumentedMethod {
    package static let summary = "The broker's release, process and the processes it runs."
    package static var sample: (parameters: Nothing, result: Result) {
        (
            Nothing(),
            Result(
                version: "0.1.0", protocol: .current, processIdentifier: 4321, uptime: 12.5, connections: 2,
                running: [
                    RunningProcess(provider: .sample, role: .providerService, processIdentifier: 4330, state: .locked)
                ],
                policy: PolicyState(
                    settings: [
                        .init(name: "vault.idle-lock", value: "300", files: ["/etc/keyway/policy.toml"])
                    ], faults: []))
        )
    }
}
