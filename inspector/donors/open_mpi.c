/* The type donor for the Open MPI whose development headers it is compiled with:
 * what libompi_dbg_msgq.so looks up, and what mqinspect reads itself. See
 * include/type_donor.h. */
#include "include/type_donor.h"

#include <stddef.h>

#include "ompi_config.h"

#include "ompi/communicator/communicator.h"
#include "ompi/datatype/ompi_datatype.h"
#include "ompi/group/group.h"
#include "ompi/mca/pml/base/pml_base_recvreq.h"
#include "ompi/mca/pml/base/pml_base_request.h"
#include "ompi/mca/pml/base/pml_base_sendreq.h"
#include "ompi/mca/pml/pml.h"
#include "ompi/mca/topo/topo.h"
#include "ompi/proc/proc.h"
#include "ompi/request/request.h"
#include "opal/class/opal_free_list.h"
#include "opal/class/opal_hash_table.h"
#include "opal/class/opal_list.h"
#include "opal/class/opal_pointer_array.h"

#define CLASS_SIZE_IS(class_record, type) \
    MQI_WORD_IS(class_record, offsetof(opal_class_t, cls_sizeof), sizeof(type))

/* The library notes the size of each of its classes, so that a build with other
 * options than these headers is told apart, too. */
MQI_DONOR_CHECKS = {
    MQI_TEXT_IS(ompi_version_string, OPAL_IDENT_STRING),
    CLASS_SIZE_IS(ompi_communicator_t_class, ompi_communicator_t),
    CLASS_SIZE_IS(ompi_group_t_class, ompi_group_t),
    CLASS_SIZE_IS(ompi_proc_t_class, ompi_proc_t),
    CLASS_SIZE_IS(ompi_request_t_class, ompi_request_t),
    CLASS_SIZE_IS(ompi_datatype_t_class, ompi_datatype_t),
    CLASS_SIZE_IS(mca_pml_base_request_t_class, mca_pml_base_request_t),
    CLASS_SIZE_IS(mca_pml_base_send_request_t_class, mca_pml_base_send_request_t),
    CLASS_SIZE_IS(mca_pml_base_recv_request_t_class, mca_pml_base_recv_request_t),
    CLASS_SIZE_IS(opal_free_list_t_class, opal_free_list_t),
    CLASS_SIZE_IS(opal_list_t_class, opal_list_t),
    MQI_SIZE_IS(mca_pml_base_send_requests, sizeof(opal_free_list_t)),
    MQI_SIZE_IS(mca_pml_base_recv_requests, sizeof(opal_free_list_t)),
    MQI_SIZE_IS(ompi_mpi_communicators, sizeof(opal_pointer_array_t)),
    MQI_SIZE_IS(mca_pml_base_selected_component, sizeof(mca_pml_base_component_t)),
};

#define DONATE(type) type* mqi_donated_##type

DONATE(opal_list_item_t);
DONATE(opal_list_t);
DONATE(opal_free_list_item_t);
DONATE(opal_free_list_t);
DONATE(opal_hash_table_t);
DONATE(opal_pointer_array_t);
DONATE(opal_datatype_t);
DONATE(opal_proc_t);
DONATE(opal_process_name_t);
DONATE(ompi_communicator_t);
DONATE(ompi_datatype_t);
DONATE(ompi_group_t);
DONATE(ompi_proc_t);
DONATE(ompi_request_t);
DONATE(ompi_status_public_t);
DONATE(mca_base_component_t);
DONATE(mca_pml_base_component_t);
DONATE(mca_pml_base_request_t);
DONATE(mca_pml_base_send_request_t);
DONATE(mca_pml_base_recv_request_t);
DONATE(mca_topo_base_module_t);
DONATE(mca_topo_base_comm_cart_2_2_0_t);
DONATE(mca_topo_base_comm_graph_2_2_0_t);
DONATE(mca_topo_base_comm_dist_graph_2_2_0_t);
