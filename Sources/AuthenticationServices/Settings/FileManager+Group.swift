import AutoFillProtocol
public import Foundation
import KeywaySystem

extension FileManager {
    /// The folder that app, extension and service of one bundle share: the one that the bundle names under `KeywayGroup`.
    ///
    /// It exists, and nobody else can enter it. Nil for any other name, for a program that is not of the bundle, and for
    /// an app that the person has not approved. The broker is asked, so this may take a moment.
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
        let path = CallerQueue.wait { await BrokerLink.process.groupContainer(groupIdentifier) }
        return path?.map { URL(fileURLWithPath: $0, isDirectory: true) }
    }
}

extension BrokerLink {
    /// The folder of a group, for the processes of the bundle that names it; nil for everybody else.
    package func groupContainer(_ group: String) async -> String? {
        try? await connection().call(GroupContainer.self, .init(group: group)).path
    }
}
