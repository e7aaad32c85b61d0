import CTSS2
import Glibc
import KeywayCrypto

/// One conversation with a TPM 2 (TCG TPM 2.0 Library, through tpm2-tss's ESAPI).
///
/// What goes to the chip and comes back is encrypted between it and us, so that the wires to it tell nothing.
final class TPMSession {
    private let transport: OpaquePointer
    private var context: OpaquePointer?
    private var storageKey: ESYS_TR = TPMSession.none
    private var session: ESYS_TR = TPMSession.none

    private static let none = ESYS_TR(0xFFF)
    private static let password = ESYS_TR(0x0FF)
    private static let owner = ESYS_TR(0x101)

    /// Connects and makes the storage key, which is the same each time as long as the owner's seed is.
    ///
    /// - Throws: ``KeySourceError`` with the code `unavailable`.
    init(address: String) throws(KeySourceError) {
        setenv("TSS2_LOG", "all+NONE", 1)
        var transport: OpaquePointer?
        let status = Tss2_TctiLdr_Initialize(address, &transport)
        guard status == 0, let transport else {
            throw KeySourceError(.unavailable, "The TPM 2 at \(address) does not answer (\(Self.text(status))).")
        }
        self.transport = transport
        try check(Esys_Initialize(&context, transport, nil), "connect")
        try makeStorageKey()
        try startSession()
    }

    /// Lets go of the chip.
    func close() {
        if session != Self.none { Esys_FlushContext(context, session) }
        if storageKey != Self.none { Esys_FlushContext(context, storageKey) }
        session = Self.none
        storageKey = Self.none
    }

    deinit {
        close()
        Esys_Finalize(&context)
        var transport: OpaquePointer? = transport
        Tss2_TctiLdr_Finalize(&transport)
    }

    // MARK: - Sealing

    /// Seals a key to this chip.
    func seal(_ key: SecretKey) throws(KeySourceError) -> [UInt8] {
        var sensitive = TPM2B_SENSITIVE_CREATE()
        defer { withUnsafeMutableBytes(of: &sensitive) { wipe($0) } }
        sensitive.sensitive.data.size = UInt16(SecretKey.count)
        key.bytes.withUnsafeBytes { key in
            withUnsafeMutableBytes(of: &sensitive.sensitive.data.buffer) { $0.copyMemory(from: key) }
        }
        var template = TPM2B_PUBLIC()
        template.publicArea.type = TPM2_ALG_ID(0x0008)  // keyed hash: a sealed object
        template.publicArea.nameAlg = TPM2_ALG_ID(0x000B)  // SHA-256
        // fixedTPM, fixedParent, userWithAuth, noDA
        template.publicArea.objectAttributes = 0x2 | 0x10 | 0x40 | 0x400
        template.publicArea.parameters.keyedHashDetail.scheme.scheme = TPM2_ALG_ID(0x0010)  // none
        var outside = TPM2B_DATA()
        var registers = TPML_PCR_SELECTION()
        var made: UnsafeMutablePointer<TPM2B_PRIVATE>?
        var publicPart: UnsafeMutablePointer<TPM2B_PUBLIC>?
        let status = Esys_Create(
            context, storageKey, Self.password, session, Self.none, &sensitive, &template, &outside, &registers,
            &made, &publicPart, nil, nil, nil)
        defer {
            Esys_Free(made)
            Esys_Free(publicPart)
        }
        try check(status, "seal")
        guard let made, let publicPart else { throw KeySourceError(.unavailable, "The TPM 2 sealed nothing.") }
        var blob = [UInt8](repeating: 0, count: 4096)
        var count = 0
        try check(Tss2_MU_TPM2B_PUBLIC_Marshal(publicPart, &blob, blob.count, &count), "write")
        try check(Tss2_MU_TPM2B_PRIVATE_Marshal(made, &blob, blob.count, &count), "write")
        return Array(blob[..<count])
    }

    /// Opens what ``seal(_:)`` made.
    ///
    /// - Throws: ``KeySourceError``: `lost` when another chip, or this one before it was cleared, had sealed it.
    func unseal(_ blob: [UInt8]) throws(KeySourceError) -> SecretKey {
        var publicPart = TPM2B_PUBLIC()
        var made = TPM2B_PRIVATE()
        var offset = 0
        guard Tss2_MU_TPM2B_PUBLIC_Unmarshal(blob, blob.count, &offset, &publicPart) == 0,
            Tss2_MU_TPM2B_PRIVATE_Unmarshal(blob, blob.count, &offset, &made) == 0, offset == blob.count
        else { throw KeySourceError(.lost, "What the TPM had sealed is damaged.") }
        var object = Self.none
        let status = Esys_Load(
            context, storageKey, Self.password, Self.none, Self.none, &made, &publicPart, &object)
        if Self.isForeign(status) {
            throw KeySourceError(.lost, "The TPM was cleared, or it isn't the one that sealed the key.")
        }
        try check(status, "load")
        defer { Esys_FlushContext(context, object) }
        var data: UnsafeMutablePointer<TPM2B_SENSITIVE_DATA>?
        // The session comes with the password's: it encrypts the answer.
        try check(Esys_Unseal(context, object, Self.password, session, Self.none, &data), "unseal")
        guard let data else { throw KeySourceError(.unavailable, "The TPM 2 opened nothing.") }
        defer {
            wipe(UnsafeMutableRawBufferPointer(start: data, count: MemoryLayout<TPM2B_SENSITIVE_DATA>.size))
            Esys_Free(data)
        }
        guard Int(data.pointee.size) == SecretKey.count else {
            throw KeySourceError(.lost, "What the TPM had sealed isn't a valid key.")
        }
        return SecretKey(
            SecretBytes(count: SecretKey.count) { room in
                withUnsafeBytes(of: &data.pointee.buffer) { room.copyBytes(from: $0.prefix(SecretKey.count)) }
            })
    }

    // MARK: - Keys

    /// The storage key that the TCG's provisioning guidance describes: ECC on NIST P-256 with AES-128 in CFB.
    private func makeStorageKey() throws(KeySourceError) {
        var template = TPM2B_PUBLIC()
        template.publicArea.type = TPM2_ALG_ID(0x0023)  // ECC
        template.publicArea.nameAlg = TPM2_ALG_ID(0x000B)
        // fixedTPM, fixedParent, sensitiveDataOrigin, userWithAuth, noDA, restricted, decrypt
        template.publicArea.objectAttributes = 0x2 | 0x10 | 0x20 | 0x40 | 0x400 | 0x10000 | 0x20000
        template.publicArea.parameters.eccDetail.symmetric = Self.cipher
        template.publicArea.parameters.eccDetail.scheme.scheme = TPM2_ALG_ID(0x0010)
        template.publicArea.parameters.eccDetail.curveID = TPM2_ECC_CURVE(0x0003)
        template.publicArea.parameters.eccDetail.kdf.scheme = TPM2_ALG_ID(0x0010)
        var sensitive = TPM2B_SENSITIVE_CREATE()
        var outside = TPM2B_DATA()
        var registers = TPML_PCR_SELECTION()
        try check(
            Esys_CreatePrimary(
                context, Self.owner, Self.password, Self.none, Self.none, &sensitive, &template, &outside, &registers,
                &storageKey, nil, nil, nil, nil), "make its storage key")
    }

    /// A session that encrypts the first parameter in both directions, with a secret that only the chip can read.
    private func startSession() throws(KeySourceError) {
        var cipher = TPMT_SYM_DEF()
        cipher.algorithm = TPM2_ALG_ID(0x0006)  // AES
        cipher.keyBits.aes = 128
        cipher.mode.aes = TPM2_ALG_ID(0x0043)  // CFB
        try check(
            Esys_StartAuthSession(
                context, storageKey, Self.none, Self.none, Self.none, Self.none, nil, TPM2_SE(0x00), &cipher,
                TPM2_ALG_ID(0x000B), &session), "start a session")
        // continueSession, decrypt, encrypt
        try check(Esys_TRSess_SetAttributes(context, session, 0x01 | 0x20 | 0x40, 0xFF), "encrypt the session")
    }

    private static var cipher: TPMT_SYM_DEF_OBJECT {
        var cipher = TPMT_SYM_DEF_OBJECT()
        cipher.algorithm = TPM2_ALG_ID(0x0006)
        cipher.keyBits.aes = 128
        cipher.mode.aes = TPM2_ALG_ID(0x0043)
        return cipher
    }

    // MARK: - Errors

    /// TPM_RC_INTEGRITY, TPM_RC_BINDING and their like about one parameter: the object belongs to another parent.
    private static func isForeign(_ status: TSS2_RC) -> Bool {
        let layer = status & 0x00FF_0000
        return layer == 0 && status & 0x80 != 0 && [0x1F, 0x25].contains(status & 0x3F)
    }

    private func check(_ status: TSS2_RC, _ step: String) throws(KeySourceError) {
        guard status == 0 else {
            throw KeySourceError(.unavailable, "The TPM 2 did not \(step) (\(Self.text(status))).")
        }
    }

    private static func text(_ status: TSS2_RC) -> String { "0x" + String(status, radix: 16) }
}
