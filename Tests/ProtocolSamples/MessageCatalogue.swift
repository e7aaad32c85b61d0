import AutoFillProtocol
package import AutoFillWire

/// Every message of the broker's protocol, for the documentation and for the tests that hold all of them to one rule.
package enum MessageCatalogue {
    /// One message as `Docs/protocol.md` describes it.
    package struct Entry: Sendable {
        /// The name on the wire.
        package let name: String
        /// Who may send it.
        package let callers: Set<Role>
        /// What it does.
        package let summary: String
        /// An example of `params`, as JSON.
        package let parameters: @Sendable () throws -> String
        /// An example of `result`, as JSON; nil for a notification.
        package let result: (@Sendable () throws -> String)?

        /// Describes a method.
        package init<M: DocumentedMethod>(_ method: M.Type) {
            name = M.name
            callers = M.callers
            summary = M.summary
            parameters = { try ExampleJSON.text(M.sample.parameters) }
            result = { try ExampleJSON.text(M.sample.result) }
        }

        /// Describes a notification.
        package init<N: DocumentedNotification>(notification: N.Type) {
            name = N.name
            callers = N.callers
            summary = N.summary
            parameters = { try ExampleJSON.text(N.sample) }
            result = nil
        }
    }

    /// All of them, in the order of the documentation.
    package static let entries: [Entry] = [
        Entry(Hello.self), Entry(notification: CancelRequest.self),
        Entry(BrokerStatus.self), Entry(Suggest.self), Entry(Fill.self), Entry(notification: FillWaiting.self),
        Entry(notification: BrokerNotice.self), Entry(PasskeySupport.self), Entry(RegisterPasskey.self),
        Entry(SavePassword.self), Entry(SavingSupport.self), Entry(ListUnsavedSites.self), Entry(AskAboutSite.self),
        Entry(ChangePasswordPage.self),
        Entry(SetUpCode.self),
        Entry(GeneratePasswords.self), Entry(ReportCredential.self),
        Entry(notification: PresentationShow.self), Entry(notification: PresentationEvent.self),
        Entry(notification: PresentationEnd.self), Entry(notification: PresentationAbandoned.self),
        Entry(notification: PresentationOpened.self), Entry(CheckSheets.self),
        Entry(AskPerson.self), Entry(VerifyPerson.self), Entry(VerificationState.self),
        Entry(ChangeVerification.self), Entry(ChangePIN.self), Entry(VerifyForImport.self),
        Entry(CheckMasterPassword.self),
        Entry(CreateMasterPassword.self), Entry(SetUpState.self), Entry(SetUp.self), Entry(FinishSetUp.self),
        Entry(TypedSecretState.self), Entry(CountPINTry.self), Entry(CheckTypedSecret.self), Entry(ReplacePIN.self),
        Entry(ListClients.self), Entry(ChangeClient.self), Entry(ListHistory.self), Entry(ClearHistory.self),
        Entry(ListProviders.self), Entry(SetProviderEnabled.self), Entry(OrderProviders.self),
        Entry(ConfigureProvider.self), Entry(LockProvider.self), Entry(DebugProvider.self),
        Entry(ApproveApplication.self),
        Entry(RequestEnabling.self), Entry(AuthorizeApplication.self), Entry(notification: AuthorizationWaiting.self),
        Entry(AnswerApplication.self), Entry(GroupContainer.self),
        Entry(CommitChanges.self), Entry(ConnectService.self),
        Entry(BeginExchange.self), Entry(RequestExport.self), Entry(ExportCredentials.self),
        Entry(TakeCredentials.self), Entry(ContinueActivity.self),
        Entry(PerformRequest.self), Entry(notification: ExtensionPresent.self),
        Entry(notification: ExtensionEvent.self),
        Entry(IdentityStoreState.self), Entry(WriteIdentities.self), Entry(ReadIdentities.self),
        Entry(AttachClient.self), Entry(PermitService.self), Entry(ReadServiceLimits.self),
        Entry(NoteRenewedVault.self),
        Entry(notification: ServiceStateChanged.self),
        Entry(ConnectSystemBus.self), Entry(ReadVersion.self), Entry(NoteVersion.self),
    ]
}
