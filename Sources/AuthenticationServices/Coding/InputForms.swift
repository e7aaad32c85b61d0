import Foundation

/// How what is wanted of a passkey stands in an archive. The public types have no coding of their own on Apple's systems
/// either; there the archive is written by their twins in Objective-C.
enum InputForm: Codable {
    case assertion(AssertionInputForm)
    case registration(RegistrationInputForm)
}

struct AssertionInputForm: Codable {
    enum LargeBlob: Codable { case read, write(Data) }

    struct PRF: Codable {
        let values: PRFValuesForm?
        let byCredential: [Data: PRFValuesForm]?
    }

    let largeBlob: LargeBlob?
    let prf: PRF?
}

struct RegistrationInputForm: Codable {
    struct PRF: Codable {
        let values: PRFValuesForm?
        let asksForSupport: Bool
    }

    let isLargeBlobRequired: Bool?
    let prf: PRF?
}

struct PRFValuesForm: Codable {
    let first: Data
    let second: Data?

    init(_ values: ASAuthorizationPublicKeyCredentialPRFAssertionInput.InputValues) {
        (first, second) = (values.saltInput1, values.saltInput2)
    }

    var values: ASAuthorizationPublicKeyCredentialPRFAssertionInput.InputValues {
        .init(saltInput1: first, saltInput2: second)
    }
}

extension InputForm {
    /// Nil where nothing is wanted.
    init?(_ input: ASPasskeyCredentialExtensionInput) {
        switch input {
        case .none: return nil
        case .assertion(let input): self = .assertion(AssertionInputForm(input))
        case .registration(let input): self = .registration(RegistrationInputForm(input))
        }
    }

    var input: ASPasskeyCredentialExtensionInput {
        switch self {
        case .assertion(let form): .assertion(form.input)
        case .registration(let form): .registration(form.input)
        }
    }
}

extension AssertionInputForm {
    init(_ input: ASPasskeyAssertionCredentialExtensionInput) {
        largeBlob = input.largeBlob.map {
            switch $0.operation {
            case .read: .read
            case .write(let data): .write(data)
            }
        }
        prf = input.prf.map {
            PRF(
                values: $0.inputValues.map(PRFValuesForm.init),
                byCredential: $0.perCredentialInputValues?.mapValues(PRFValuesForm.init))
        }
    }

    var input: ASPasskeyAssertionCredentialExtensionInput {
        .init(
            largeBlob: largeBlob.map {
                switch $0 {
                case .read: .read
                case .write(let data): .write(data)
                }
            },
            prf: prf.map {
                .init(
                    inputValues: $0.values?.values, perCredentialInputValues: $0.byCredential?.mapValues(\.values))
            })
    }
}

extension RegistrationInputForm {
    init(_ input: ASPasskeyRegistrationCredentialExtensionInput) {
        isLargeBlobRequired = input.largeBlob.map { $0.supportRequirement == .required }
        prf = input.prf.map {
            PRF(values: $0.inputValues.map(PRFValuesForm.init), asksForSupport: $0.shouldCheckForSupport)
        }
    }

    var input: ASPasskeyRegistrationCredentialExtensionInput {
        .init(
            largeBlob: isLargeBlobRequired.map { $0 ? .supportRequired : .supportPreferred },
            prf: prf.map { .init(inputValues: $0.values?.values, shouldCheckForSupport: $0.asksForSupport) })
    }
}
