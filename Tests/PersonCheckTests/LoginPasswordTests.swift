import AutoFillProtocol
import Foundation
import KeywayCrypto
import Testing

@testable import PersonCheck

/// The real PAM, with the service file that is shipped. What that includes from the machine's own PAM (`/etc/pam.d` in
/// every case) is replaced by lines of the test's own.
@Suite(.timeLimit(.minutes(5))) struct LoginPasswordTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
        // The password comes with a final zero.
        try folder.write(
            "#!/bin/sh\ntyped=$(/usr/bin/tr -d '\\000')\n[ \"$typed\" = s3cret ] && [ \"$PAM_USER\" = \"$(/usr/bin/id -un)\" ]\n",
            to: "judge", mode: 0o755)
        try configure(auth: judged)
    }

    /// As Debian's `common-auth` puts its modules together.
    private var judged: String {
        "auth [success=1 default=ignore] pam_exec.so quiet expose_authtok \(folder.path)/judge\n"
            + "auth requisite pam_deny.so\nauth required pam_permit.so"
    }

    private func configure(auth: String, account: String = "account required pam_permit.so") throws {
        let shipped = URL(filePath: #filePath).appending(path: "../../../Packaging/pam.d/keyway").standardized
        let text = try String(contentsOf: shipped, encoding: .utf8)
        let lines = text.replacing("@include common-auth", with: auth).replacing(
            "@include common-account", with: account)
        #expect(!lines.contains("@include"))
        try folder.write(lines, to: "keyway")
    }

    private func check(_ password: String) -> CheckTypedSecret.Outcome {
        LoginPassword(folder: folder.path).check(SecretBytes(copyingUTF8Of: password))
    }

    @Test func takesTheRightPasswordAndNoOther() {
        #expect(LoginPassword(folder: folder.path).obstacle == nil)
        #expect(check("s3cret") == .right)
        #expect(check("other") == .wrong("Wrong login password. Try again."))
    }

    @Test func isUnavailableWithoutItsService() throws {
        let empty = try TestFolder()
        let login = LoginPassword(folder: empty.path)
        #expect(login.obstacle?.contains("PAM has no service `keyway`") == true)
        #expect(login.check(SecretBytes(copyingUTF8Of: "s3cret")).refusal != nil)
    }

    @Test func whoeverPAMDeniesIsNotVerified() throws {
        try configure(
            auth:
                "auth required pam_exec.so quiet expose_authtok \(folder.path)/judge\nauth required pam_deny.so")
        #expect(check("s3cret") == .wrong("Wrong login password. Try again."))
    }

    @Test func aServiceThatCannotAnswerIsNoWrongPassword() throws {
        try configure(auth: "auth required pam_nonexistent_module.so")
        #expect(check("s3cret").refusal != nil)
    }

    @Test func anExpiredAccountIsNotVerified() throws {
        try configure(auth: "auth required pam_permit.so", account: "account required pam_deny.so")
        #expect(check("s3cret") != .right)
    }

    @Test func theRealModuleOfUnixTurnsAWrongPasswordAway() throws {
        try configure(auth: "auth required pam_unix.so nodelay")
        #expect(check("surely not the password of this user") != .right)
    }
}
