/* Open MPI's development headers include this one, which only a build with PERUSE
 * installs. They need two types of it, for pointers to functions. */
#ifndef OMPI_PERUSE_STUB_H
#define OMPI_PERUSE_STUB_H

typedef void* peruse_event_h;
typedef struct peruse_comm_spec_t peruse_comm_spec_t;

#endif
