// How large a piece of the heap is, to wipe it.
#include <malloc.h>

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/params.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

/// The macros, in a form that Swift imports.
typedef enum {
    CLIBCRYPTO_PUBLIC_KEY = EVP_PKEY_PUBLIC_KEY,
    CLIBCRYPTO_KEY_PAIR = EVP_PKEY_KEYPAIR,
} CLibCryptoSelection;
