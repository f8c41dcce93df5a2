/// Names that the library exports: the program's calls come here instead of to the MPI library.
#pragma once

#define MQT_EXPORT extern "C" __attribute__((visibility("default")))
