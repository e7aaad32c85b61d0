import AuthenticationServices
import SampleAccounts

// The app of the sample manager, as a command line: what a window would do, a person types.
//
//     sample-manager add DOMAIN USER    keeps the password on standard input, and tells the system of the account
//     sample-manager state              whether the system takes what it is told
//     sample-manager turn-on            asks the person to turn the extension on
//     sample-manager settings           opens the settings of the system
//     sample-manager export             exports everything to another manager, in two steps
//     sample-manager export-at-once     the same in one step
//     sample-manager import TOKEN       takes what waits under a token
//
// The system starts it too, without words, to continue an activity (Exchange.swift).

/// What went wrong, in one word, for whoever runs the app.
struct Failure: Error {
    let word: String
}

func add(_ domain: String, _ user: String) async throws {
    guard let file = AccountFile() else { throw Failure(word: "noGroup") }
    let account = Account(domain: domain, user: user, password: readLine() ?? "")
    try file.write(try file.read() + [account])
    let service = ASCredentialServiceIdentifier(identifier: domain, type: .domain)
    try await ASCredentialIdentityStore.shared.saveCredentialIdentities(
        [
            ASPasswordCredentialIdentity(serviceIdentifier: service, user: user, recordIdentifier: account.record)
                as any ASCredentialIdentity
        ])
}

/// Tells the system of an account that is kept nowhere.
func announce(_ domain: String, _ user: String) async throws {
    let service = ASCredentialServiceIdentifier(identifier: domain, type: .domain)
    let identity = ASPasswordCredentialIdentity(serviceIdentifier: service, user: user, recordIdentifier: nil)
    try await ASCredentialIdentityStore.shared.saveCredentialIdentities([identity as any ASCredentialIdentity])
}

func run(_ words: [String]) async throws -> String {
    switch (words.first, words.count) {
    case ("add", 3):
        try await add(words[1], words[2])
        return "added"
    case ("announce", 3):
        try await announce(words[1], words[2])
        return "announced"
    case ("state", 1):
        return await ASCredentialIdentityStore.shared.state().isEnabled ? "enabled" : "disabled"
    case ("group", 1):
        return AccountFile() == nil ? "noGroup" : "group"
    case ("turn-on", 1):
        return await ASSettingsHelper.requestToTurnOnCredentialProviderExtension() ? "on" : "off"
    case ("settings", 1):
        try await ASSettingsHelper.openCredentialProviderAppSettings()
        return "opened"
    case ("export", 1):
        // The person can be kept waiting between the two steps, by whoever types.
        return "exported \(try await export(asking: true) { _ = readLine() })"
    case ("export-at-once", 1):
        return "exported \(try await export(asking: false))"
    case ("import", 2):
        guard let token = UUID(uuidString: words[1]) else { throw Failure(word: "usage") }
        let data = try await ASCredentialImportManager().importCredentials(token: token)
        return "imported \(data.accounts.count)"
    default: throw Failure(word: "usage")
    }
}

if KeywayActivityController.isWanted { runKeywayActivityController { Exchange() } }
do {
    print(try await run(Array(CommandLine.arguments.dropFirst())))
} catch let failure as Failure {
    print(failure.word)
    exit(EXIT_FAILURE)
} catch ASCredentialIdentityStoreError.storeDisabled {
    print("storeDisabled")
    exit(EXIT_FAILURE)
} catch let error as ASAuthorizationError {
    print("\(error.code): \(error.localizedDescription)")
    exit(EXIT_FAILURE)
} catch {
    print(error.localizedDescription)
    exit(EXIT_FAILURE)
}
