import AutoFillProtocol
import AutoFillWire
import KeywayCrypto
import KeywaySystem

/// One-time codes and other text.
enum TextRules {
    static let all = [
        Rule(
            "code-fill", "A suggested one-time code is filled.",
            why: "It promised the code to the system.",
            remedy: "End the request with `completeOneTimeCodeRequest(using:)`.",
            needs: .oneTimeCodes
        ) { (subject) throws(Objection) in
            let identity = try subject.identity(.oneTimeCode)
            try await subject.withExtension { (started) throws(Objection) in
                try subject.code(in: await subject.credential(of: identity, from: started))
            }
        },
        Rule(
            "code-missing-record", "A code's record that does not exist is answered with `credentialIdentityNotFound`.",
            why: "Then the system takes the suggestion away.",
            remedy: "Look the record up before anything else, and say so when it is gone.",
            needs: .oneTimeCodes
        ) { (subject) throws(Objection) in
            let identity = try subject.identity(.oneTimeCode).withoutRecord
            try await subject.withExtension { (started) throws(Objection) in
                let answer = await subject.credential(of: identity, from: started)
                try expect(
                    answer.extensionCode == ExtensionCode.credentialIdentityNotFound,
                    "instead of credentialIdentityNotFound: \(answer.description)")
            }
        },
        Rule(
            "code-list", "The list of one-time codes leads to a code, for no service in particular too.",
            why: "The person may choose where the page is not known.",
            remedy: "Override `prepareOneTimeCodeCredentialList(for:)`, and take an empty array for “all”.",
            needs: .oneTimeCodes
        ) { (subject) throws(Objection) in
            try await subject.withExtension { (started) throws(Objection) in
                for services in [[], [Subject.unknownService]] {
                    let answer = await started.perform(
                        .oneTimeCodeList(services), subject.person(), within: Subject.patientLimit)
                    try subject.code(in: answer)
                }
            }
        },
        Rule(
            "code-setup", "A link that sets codes up is kept when the person agrees.",
            why: "The site showed it once, and from now on asks for its codes.",
            remedy: "Override `prepareInterface(for: KeywayCodeSetup)`; end with `completeCodeSetup()`.",
            needs: .codeSetup
        ) { (subject) throws(Objection) in
            try await subject.withExtension { (started) throws(Objection) in
                let answer = await started.perform(
                    .setUpCode(try subject.codeToSetUp()), subject.person(), within: Subject.patientLimit)
                guard case .saved = answer.result else { throw subject.objection("“saved”", answer) }
            }
        },
        Rule(
            "code-setup-cancel", "Backing out of setting codes up ends the request with `userCanceled`.",
            why: "Otherwise the system takes it for a failure, and says so.",
            remedy: "Call `super.interface(didReceive:)`, or end with `userCanceled`.",
            needs: .codeSetup
        ) { (subject) throws(Objection) in
            try await subject.expectCancel(of: .setUpCode(try subject.codeToSetUp()))
        },
        Rule(
            "text-insert", "Choosing what to insert leads to a text.",
            why: "That is what the person asked for in the field's menu.",
            remedy:
                "Override `prepareInterfaceForUserChoosingTextToInsert()`; end with `completeRequest(withTextToInsert:)`.",
            needs: .text
        ) { (subject) throws(Objection) in
            try await subject.withExtension { (started) throws(Objection) in
                let answer = await started.perform(.textToInsert, subject.person(), within: Subject.patientLimit)
                guard case .text(let attachment) = answer.result else { throw subject.objection("a text", answer) }
                try expect(!(try subject.secret(attachment, "text")).isEmpty, "the text is empty")
            }
        },
        Rule(
            "text-cancel", "Backing out of choosing a text ends the request with `userCanceled`.",
            why: "Other errors are told to the person, who knows what they did.",
            remedy: "Call `super.interface(didReceive:)`, or end with `userCanceled`.",
            needs: .text
        ) { (subject) throws(Objection) in
            try await subject.expectCancel(of: .textToInsert)
        },
    ]
}

extension Subject {
    /// A link that sets codes up, with a key of its own.
    func codeToSetUp() throws(Objection) -> CodeToSetUp {
        let key = String((0..<32).map { _ in "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".randomElement() ?? "A" })
        let link = SecretBytes(copying: Array("otpauth://totp/Kit:kit?secret=\(key)&issuer=Kit".utf8))
        do throws(ProtocolError) {
            return CodeToSetUp(
                issuer: "Kit", account: "kit",
                link: Attachment(
                    try link.withUnsafeBytes { (bytes) throws(ProtocolError) in try SealedMemory(copying: bytes) }))
        } catch {
            throw .unchecked(error.message)
        }
    }

    /// The code in `answer`, checked to look like one.
    func code(in answer: Answer) throws(Objection) {
        guard case .oneTimeCode(let attachment, _) = answer.result else { throw objection("a one-time code", answer) }
        let code = try secret(attachment, "code")
        let isCode = code.withUnsafeBytes { bytes in
            (4...16).contains(bytes.count)
                && bytes.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "z")).contains($0) }
        }
        try expect(isCode, "the code has \(code.count) bytes, or something other than letters and digits")
    }
}
