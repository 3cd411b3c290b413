// The hash of the API. Made by engine/bindings/describe.py: do not edit.
#ifndef CN_API_HASH_H
#define CN_API_HASH_H

#define CN_API_HASH 0x2fc0cfd1u

#endif
