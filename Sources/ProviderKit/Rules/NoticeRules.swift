import AutoFillProtocol
import FoundationEssentials

/// What the provider is told, and its settings.
enum NoticeRules {
    static let all = [
        Rule(
            "reports", "Each report of a relying party is taken at once and without a word.",
            why: "It comes in the background; nobody looks.",
            remedy: "Return from the `report…` methods without showing anything, also for accounts you do not have.",
            needs: .reports
        ) { (subject) throws(Objection) in
            let handle = PasskeyTrial.random(8)
            let reports: [CredentialReport] = [
                .passkeyUpdated(relyingParty: PasskeyTrial.relyingParty, userHandle: handle, newName: "kit"),
                .passkeyUnknown(relyingParty: PasskeyTrial.relyingParty, credentialID: handle),
                .passkeysAccepted(relyingParty: PasskeyTrial.relyingParty, userHandle: handle, credentialIDs: []),
                .passwordUnused(domain: PasskeyTrial.relyingParty, userName: "nobody"),
            ]
            try await subject.withExtension { (started) throws(Objection) in
                for report in reports {
                    let answer = await started.perform(.report(report), within: Subject.quietLimit)
                    guard case .reported = answer.result else { throw .broken(answer.description) }
                    try expect(answer.interfaces.isEmpty, "an interface was described")
                }
                await started.settle()
                try expect(started.strayInterfaces == 0, "an interface was described")
            }
        },
        Rule(
            "configuration", "The configuration interface ends as done, or because the person backed out.",
            why: "It is shown when the person turns the provider on.",
            remedy: "Override `prepareInterfaceForExtensionConfiguration()`; end with "
                + "`completeExtensionConfigurationRequest()`.",
            needs: .configuration
        ) { (subject) throws(Objection) in
            try await subject.withExtension { (started) throws(Objection) in
                let answer = await started.perform(.configuration, subject.person(), within: Subject.patientLimit)
                guard case .configured = answer.result else { throw subject.objection("“configured”", answer) }
            }
        },
        Rule(
            "configuration-cancel", "Backing out of the configuration ends it with `userCanceled`.",
            why: "Then the provider stays as it was.",
            remedy: "Call `super.interface(didReceive:)`, or end with `userCanceled`.",
            needs: .configuration
        ) { (subject) throws(Objection) in
            try await subject.expectCancel(of: .configuration)
        },
    ]
}
