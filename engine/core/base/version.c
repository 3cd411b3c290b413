/* The version of the library, and the hash of the API that it was built from. */
#include "base.h"

#include "api_hash.h"

uint32_t cn_version(void) { return CN_VERSION; }

uint32_t cn_api_hash(void) { return CN_API_HASH; }
