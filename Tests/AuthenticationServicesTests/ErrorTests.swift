import AuthenticationServices
import Testing

@Suite("Errors")
struct ErrorTests {
    @Test(arguments: [
        (ASExtensionError.Code.failed, 0), (.userCanceled, 1), (.userInteractionRequired, 100),
        (.credentialIdentityNotFound, 101), (.matchedExcludedCredential, 102),
    ])
    func anNSErrorOfTheDomainCastsToTheError(code: ASExtensionError.Code, number: Int) {
        let thrown: any Error = NSError(domain: ASExtensionErrorDomain, code: number, userInfo: ["key": "value"])
        let error = thrown as? ASExtensionError
        #expect(error?.code == code)
        #expect(error?.userInfo["key"] as? String == "value")
        #expect((thrown as Any as? ASExtensionError)?.code == code)
        #expect(code.rawValue == number)
    }

    @Test func theErrorCastsToAnNSErrorOfTheDomain() {
        let error: any Error = ASExtensionError(.userCanceled, userInfo: [NSLocalizedDescriptionKey: "No."])
        let converted = error as NSError
        #expect(converted.domain == ASExtensionErrorDomain)
        #expect(converted.code == 1)
        #expect(converted.localizedDescription == "No.")
        #expect((error as Any as? NSError)?.code == 1)
        #expect((converted as any Error as? ASExtensionError)?.code == .userCanceled)
        #expect(error.localizedDescription == "No.")
    }

    @Test func anErrorOfAnotherDomainDoesNotCast() {
        let other: any Error = NSError(domain: NSCocoaErrorDomain, code: 1)
        #expect(other as? ASExtensionError == nil)
        #expect(ASCredentialIdentityStoreError(.storeDisabled) as any Error as? ASExtensionError == nil)
        #expect(NSError(domain: ASExtensionErrorDomain, code: 2) as any Error as? ASCredentialIdentityStoreError == nil)
    }

    @Test(arguments: [
        ASExtensionError(.failed) as any Error, NSError(domain: ASExtensionErrorDomain, code: 0),
    ])
    func aCatchClauseMatchesByCode(error: any Error) {
        do {
            throw error
        } catch ASExtensionError.userCanceled {
            Issue.record("matched another code")
        } catch ASExtensionError.failed {
            // As it should.
        } catch {
            Issue.record("not matched")
        }
        do {
            throw error
        } catch let error as ASExtensionError where error.code == .failed {
            // As it should.
        } catch {
            Issue.record("not cast")
        }
    }

    @Test func aSwitchMatchesByCode() {
        let error: any Error = NSError(domain: ASCredentialIdentityStoreErrorDomain, code: 2)
        switch error {
        case ASExtensionError.failed: Issue.record("another domain")
        case ASCredentialIdentityStoreError.storeBusy: break
        default: Issue.record("not matched")
        }
    }

    @Test func codesHaveNames() {
        #expect(ASExtensionError.userCanceled.rawValue == 1)
        #expect(ASExtensionError.userInteractionRequired == .userInteractionRequired)
        #expect(ASExtensionError.credentialIdentityNotFound.rawValue == 101)
        #expect(ASExtensionError.matchedExcludedCredential.rawValue == 102)
        #expect(ASExtensionError.Code(rawValue: 7) == nil)
        #expect(ASExtensionError.errorDomain == ASExtensionErrorDomain)
        #expect(
            [ASCredentialIdentityStoreError.internalError, .storeDisabled, .storeBusy].map(\.rawValue) == [0, 1, 2])
        #expect(ASCredentialIdentityStoreError.errorDomain == "ASCredentialIdentityStoreErrorDomain")
    }

    @Test func anUnknownCodeKeepsItsNumber() {
        let error = NSError(domain: ASExtensionErrorDomain, code: 4711) as any Error as? ASExtensionError
        #expect(error?.code == .failed)
        #expect(error?.errorCode == 4711)
        if let error, case ASExtensionError.failed = error as any Error { Issue.record("another number matched") }
    }

    @Test func equalErrorsHashAlike() {
        #expect(ASExtensionError(.failed) == ASExtensionError(.failed))
        #expect(ASExtensionError(.failed) != ASExtensionError(.userCanceled))
        #expect(Set([ASExtensionError(.failed), ASExtensionError(.failed)]).count == 1)
    }
}
