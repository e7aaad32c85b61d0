package import AutoFillWire
import KeywaySystem
package import PasswordsProtocol

extension BackUpVault: DocumentedMethod {
    package static let summary =
        "A checked copy of the vault in a file without a name, for a terminal; sealed as the vault is, which may be locked."
    package static var sample: (parameters: Nothing, result: Result) {
        get throws { (Nothing(), Result(file: try .sample(), items: 3, isEveryItemChecked: true)) }
    }
}

extension NoteBackup: DocumentedMethod {
    package static let summary = "Notes that the copy lies where the person wanted it, and was read back."
    package static var sample: (parameters: Parameters, result: Nothing) {
        (Parameters(isEveryItemChecked: true), Nothing())
    }
}

extension CheckBackup: DocumentedMethod {
    package static let summary =
        "Opens everything in a backup with its master password; `wrongPassword` costs a wait. Changes nothing."
    package static var sample: (parameters: Parameters, result: Result) {
        get throws {
            (Parameters(file: try .sample(), masterPassword: try .sample()), Result(items: 3, isOlder: true))
        }
    }
}

extension RestoreBackup: DocumentedMethod {
    package static let summary =
        "Makes a backup the vault, after the person was verified; one that is there is kept under another name."
    package static var sample: (parameters: Parameters, result: Result) {
        get throws {
            let status = VaultStatus.sample.result
            return (
                Parameters(
                    file: try .sample(), masterPassword: try .sample(), replaces: true, acceptsOlderCopy: true),
                Result(status: status, former: status.path + ".before-restore-2026-11-23T201500Z")
            )
        }
    }
}
