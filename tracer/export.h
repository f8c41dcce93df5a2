/// Names that the library exports: the program's calls come here instead of to the MPI library.
#pragma once

#define MQT_EXPORT extern "C" __attribute__((visibility("default")))

/// Called all the time: such functions lie together, for what each of them pushes out of the
/// processor's caches would be the others' time.
#define MQT_HOT __attribute__((hot))

/// What is called from many files, once and for all of them: no copies that are made to measure.
#if defined(__clang__)
#define MQT_ONE_COPY __attribute__((noinline))
#else
#define MQT_ONE_COPY __attribute__((noinline, noclone))
#endif
