/* A communicator object of an MPICH that does not exist, in this test program. */
#ifndef FAKE_MPIR_COMM_H
#define FAKE_MPIR_COMM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct MPIR_Comm {
    int handle;
    uint16_t context_id;
    uint16_t recvcontext_id;
    int local_size;
    int remote_size;
    int comm_kind;
    int hierarchy_kind;
} MPIR_Comm;

extern MPIR_Comm fake_mpir_comm;

#ifdef __cplusplus
}
#endif

#endif
