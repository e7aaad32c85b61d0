package import AutoFillProtocol
package import AutoFillWire

extension RequestEnabling: DocumentedMethod {
    package static let summary = "Asks the person to turn on the provider whose app is calling; waits for the answer."
    package static var sample: (parameters: Nothing, result: Result) { (Nothing(), Result(isEnabled: true)) }
}

extension GroupContainer: DocumentedMethod {
    package static let summary = "The folder that the processes of one bundle share; nobody else is told."
    package static var sample: (parameters: Parameters, result: Result) {
        (
            Parameters(group: "group.org.example.vault"),
            Result(path: "/home/ada/.local/share/keyway/groups/group.org.example.vault")
        )
    }
}
