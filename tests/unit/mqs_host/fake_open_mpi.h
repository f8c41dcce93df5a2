/* A few objects of an Open MPI that does not exist, in this test program: the names are
 * those of Open MPI's types and variables, the members those that are read. */
#ifndef FAKE_OPEN_MPI_H
#define FAKE_OPEN_MPI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint32_t jobid;
    uint32_t vpid;
} opal_process_name_t;

typedef struct opal_proc_t {
    void* unused;
    opal_process_name_t proc_name;
} opal_proc_t;

typedef struct ompi_group_t {
    int grp_proc_count;
    opal_proc_t** grp_proc_pointers;
    uint32_t grp_flags;
} ompi_group_t;

typedef struct ompi_communicator_t {
    char unused[40];
    uint32_t c_contextid;
    uint32_t c_flags;
    ompi_group_t* c_local_group;
    ompi_group_t* c_remote_group;
    int32_t c_nbc_tag;
} ompi_communicator_t;

typedef struct opal_pointer_array_t {
    void* unused;
    int size;
    void** addr;
} opal_pointer_array_t;

typedef struct {
    int MPI_SOURCE;
    int MPI_TAG;
} ompi_status_public_t;

typedef struct ompi_request_t {
    char unused[24];
    ompi_status_public_t req_status;
    void* req_complete;
    int req_state;
    unsigned char req_persistent;
} ompi_request_t;

typedef struct ompi_datatype_t {
    char unused[16];
    char name[64];
} ompi_datatype_t;

typedef struct mca_pml_base_request_t {
    ompi_request_t req_ompi;
    int32_t req_pml_complete;
    ompi_datatype_t* req_datatype;
    size_t req_count;
    int32_t req_tag;
    uint64_t req_sequence;
    ompi_communicator_t* req_comm;
    int32_t req_peer;
} mca_pml_base_request_t;

typedef struct mca_pml_base_send_request_t {
    mca_pml_base_request_t req_base;
    int req_send_mode;
} mca_pml_base_send_request_t;

typedef struct opal_list_item_t {
    void* unused;
    struct opal_list_item_t* opal_list_next;
} opal_list_item_t;

typedef struct {
    opal_list_item_t opal_list_sentinel;
} opal_list_t;

typedef struct {
    opal_list_item_t super;
} opal_free_list_item_t;

typedef struct {
    size_t fl_frag_size;
    size_t fl_frag_alignment;
    size_t fl_num_per_alloc;
    size_t fl_num_allocated;
    opal_list_t fl_allocations;
} opal_free_list_t;

typedef struct mca_base_component_t {
    int unused;
    char mca_component_name[64];
} mca_base_component_t;

typedef struct mca_pml_base_component_2_0_0_t {
    void* unused;
    mca_base_component_t pmlm_version;
} mca_pml_base_component_2_0_0_t;

extern opal_pointer_array_t ompi_mpi_communicators;
extern opal_proc_t* ompi_proc_local_proc;
extern opal_free_list_t mca_pml_base_send_requests;
extern opal_free_list_t mca_pml_base_recv_requests;
extern mca_pml_base_component_2_0_0_t mca_pml_base_selected_component;
extern ompi_communicator_t ompi_mpi_comm_world;

#ifdef __cplusplus
}
#endif

#endif
