/* Types of an Open MPI that never was. */
#include "include/type_donor.h"

MQI_DONOR_CHECKS = {
    MQI_TEXT_IS(ompi_version_string, "0.0.0"),
};

struct ompi_communicator_t {
    int nothing;
};
struct ompi_communicator_t* wrong;
