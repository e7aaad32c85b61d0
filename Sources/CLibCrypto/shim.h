#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/params.h>

/// The macro, in a form that Swift imports.
enum { CLIBCRYPTO_PUBLIC_KEY = EVP_PKEY_PUBLIC_KEY };
