#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdbool.h>

/// Whether allocations are counted: on Linux with glibc, and not under a sanitizer, which has an allocator of its own.
bool allocationCounterIsThere(void);

/// How often the calling thread has asked for memory so far.
long allocationCount(void);

#endif
