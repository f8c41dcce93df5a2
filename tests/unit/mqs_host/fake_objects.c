#include "tests/unit/mqs_host/fake_open_mpi.h"

#include "tests/unit/mqs_host/fake_mpir_comm.h"

opal_pointer_array_t ompi_mpi_communicators;
opal_proc_t* ompi_proc_local_proc;
opal_free_list_t mca_pml_base_send_requests;
opal_free_list_t mca_pml_base_recv_requests;
mca_pml_base_component_2_0_0_t mca_pml_base_selected_component;
ompi_communicator_t ompi_mpi_comm_world;

/* So that the types are in the debug information. */
mca_pml_base_send_request_t unused_send_request;
ompi_datatype_t unused_datatype;
opal_free_list_item_t unused_list_item;

MPIR_Comm fake_mpir_comm;
