// Debuggers, logs and `dump` show the type and nothing else of what holds a secret.

extension ASImportableEditableField: CustomReflectable {
    /// Empty.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ASImportableCredential.GeneratedPassword: CustomReflectable {
    /// Empty.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ASImportableCredential.Passkey: CustomReflectable {
    /// Empty.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ASImportableCredential.SSHKey: CustomReflectable {
    /// Empty.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ASImportableCredential.TOTP: CustomReflectable {
    /// Empty.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ASImportableFIDO2HMACCredential: CustomReflectable {
    /// Empty.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ASImportableFIDO2LargeBlob: CustomReflectable {
    /// Empty.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
