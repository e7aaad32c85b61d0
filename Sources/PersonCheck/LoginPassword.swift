import AutoFillProtocol
import AutoFillWire
import CPAM
import Glibc
import KeywayCrypto

/// Checks the password of the login through PAM, service `keyway`, for the user whose process this is.
struct LoginPassword {
    /// The service's name: that of its file.
    static let service = "keyway"
    /// Where PAM looks for the files of its services.
    static let folders = ["/etc/pam.d", "/usr/lib/pam.d"]

    /// Where the service's file lies; nil for PAM's own folders.
    let folder: String?

    /// Why it cannot be used; nil when it can.
    var obstacle: String? {
        let places = folder.map { [$0] } ?? Self.folders
        guard places.contains(where: { access("\($0)/\(Self.service)", R_OK) == 0 }) else {
            return
                "PAM has no service `\(Self.service)`. An administrator must copy share/keyway/pam.d/\(Self.service) "
                + "from the installation to /etc/pam.d"
        }
        return userName == nil ? "the user database has no name for user \(getuid())" : nil
    }

    private var userName: String? {
        guard let entry = getpwuid(getuid()), let name = entry.pointee.pw_name else { return nil }
        return String(cString: name)
    }

    /// Whether `password` is the password of the login. It takes as long as PAM's modules want; blocks.
    func check(_ password: SecretBytes) -> CheckTypedSecret.Outcome {
        if let obstacle { return .unavailable(obstacle) }
        guard let user = userName else { return .unavailable("this user has no name") }
        let answer = TypedAnswer(password)
        return withExtendedLifetime(answer) {
            var conversation = pam_conv(
                conv: { count, messages, responses, context in
                    guard let context, let messages, let responses else { return PAM_CONV_ERR }
                    return Unmanaged<TypedAnswer>.fromOpaque(context).takeUnretainedValue()
                        .answer(Int(count), messages, responses)
                }, appdata_ptr: Unmanaged.passUnretained(answer).toOpaque())
            var handle: OpaquePointer?
            var status = pam_start_confdir(Self.service, user, &conversation, folder, &handle)
            guard status == PAM_SUCCESS, let handle else { return .unavailable("PAM can't be started") }
            defer { pam_end(handle, status) }
            let flags = CInt(bitPattern: UInt32(PAM_SILENT) | UInt32(PAM_DISALLOW_NULL_AUTHTOK))
            status = pam_authenticate(handle, flags)
            if status == PAM_SUCCESS { status = pam_acct_mgmt(handle, flags) }
            return Self.outcome(status, handle)
        }
    }

    private static func outcome(_ status: CInt, _ handle: OpaquePointer) -> CheckTypedSecret.Outcome {
        switch status {
        // An old password that must be changed soon is the person's all the same.
        case PAM_SUCCESS, PAM_NEW_AUTHTOK_REQD: return .right
        case PAM_AUTH_ERR, PAM_USER_UNKNOWN: return .wrong("Wrong login password. Try again.")
        case PAM_MAXTRIES: return .unavailable("there were too many wrong passwords")
        default:
            let text = pam_strerror(handle, status).map { String(cString: $0) } ?? "error \(status)"
            return .unavailable("PAM couldn't check it (\(DisplayText.line(text)))")
        }
    }
}

/// Answers the one question for a password, and no other: whatever else a module asks would be answered with a secret.
private final class TypedAnswer {
    private let password: SecretBytes
    private var isGiven = false

    init(_ password: SecretBytes) {
        self.password = password
    }

    func answer(
        _ count: Int, _ messages: UnsafeMutablePointer<UnsafePointer<pam_message>?>,
        _ responses: UnsafeMutablePointer<UnsafeMutablePointer<pam_response>?>
    ) -> CInt {
        guard (1...32).contains(count), let room = calloc(count, MemoryLayout<pam_response>.stride) else {
            return PAM_CONV_ERR
        }
        let list = room.bindMemory(to: pam_response.self, capacity: count)
        for index in 0..<count {
            switch messages[index]?.pointee.msg_style {
            case PAM_PROMPT_ECHO_OFF where !isGiven:
                isGiven = true
                list[index].resp = copy()
            case PAM_TEXT_INFO, PAM_ERROR_MSG: break
            default:
                for index in 0..<count { wipe(list[index].resp) }
                free(room)
                return PAM_CONV_ERR
            }
        }
        responses.pointee = list
        return PAM_SUCCESS
    }

    /// A copy with a final zero, which PAM wipes and frees.
    private func copy() -> UnsafeMutablePointer<CChar>? {
        password.withUnsafeBytes { bytes in
            guard let room = calloc(bytes.count + 1, 1) else { return nil }
            if let base = bytes.baseAddress { memcpy(room, base, bytes.count) }
            return room.bindMemory(to: CChar.self, capacity: bytes.count + 1)
        }
    }

    private func wipe(_ text: UnsafeMutablePointer<CChar>?) {
        guard let text else { return }
        KeywayCrypto.wipe(UnsafeMutableRawBufferPointer(start: text, count: strlen(text)))
        free(text)
    }
}
