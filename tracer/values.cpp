#include "tracer/values.h"

#include "model/record_format.h"

#include "tracer/pmpi.h"

namespace mqinspect::tracer::values {

namespace {

std::int64_t no_group[] = {model::kNullGroup};
std::int64_t unknown_group[] = {model::kInvalidHandle};
const List kNoGroup{1, no_group};
const List kUnknownGroup{1, unknown_group};
const List kNothing;
std::int64_t no_weights[] = {model::kUnweighted};
const List kUnweighted{1, no_weights};

}  // namespace

std::int64_t weights(Call& call, const int* from, std::int64_t length) {
    if (from == nullptr || from == weights_empty()) return of_list(&kNothing);
    if (from == unweighted()) return of_list(&kUnweighted);
    return numbers(call, from, length);
}

std::int64_t group(MPI_Group group) {
    if (group == MPI_GROUP_NULL) return of_list(&kNoGroup);
    const GroupInfo* info = group_info(group);
    return of_list(info == nullptr ? &kUnknownGroup : &info->members);
}

std::int64_t group_given(bool valid, const MPI_Group* given) {
    return valid && given != nullptr ? group(*given) : of_list(&kNoGroup);
}

std::int64_t status(Call& call, bool valid, const MPI_Status* status) {
    if (!valid || status == nullptr || status == MPI_STATUS_IGNORE) return of_list(&kNothing);
    List* list = call.list(model::kStatusValues);
    if (list->elements == nullptr) return of_list(list);
    put_status(*status, false, list->elements);
    list->length = model::kStatusValues;
    return of_list(list);
}

std::int64_t peers(MPI_Comm communicator) {
    const CommunicatorInfo* info = communicator_info(communicator);
    return info == nullptr ? 0 : info->peers;
}

std::int64_t group_size(MPI_Comm communicator) {
    const CommunicatorInfo* info = communicator_info(communicator);
    return info == nullptr ? 0 : info->size;
}

std::int64_t rank_in(MPI_Comm communicator) {
    const CommunicatorInfo* info = communicator_info(communicator);
    return info == nullptr ? -1 : info->rank;
}

bool is_root(MPI_Comm communicator, int root) {
    const CommunicatorInfo* info = communicator_info(communicator);
    return info != nullptr && root == (info->inter ? MPI_ROOT : info->rank);
}

std::int64_t at_root(MPI_Comm communicator, int root) {
    return is_root(communicator, root) ? peers(communicator) : 0;
}

std::int64_t sources(MPI_Comm communicator) {
    const CommunicatorInfo* info = communicator_info(communicator);
    return info == nullptr ? 0 : info->sources;
}

std::int64_t destinations(MPI_Comm communicator) {
    const CommunicatorInfo* info = communicator_info(communicator);
    return info == nullptr ? 0 : info->destinations;
}

std::int64_t dimensions(MPI_Comm communicator) {
    const CommunicatorInfo* info = communicator_info(communicator);
    return info == nullptr ? 0 : info->dimensions;
}

std::int64_t last(const int* numbers, std::int64_t length) {
    return numbers == nullptr || length <= 0 ? 0 : numbers[length - 1];
}

}  // namespace mqinspect::tracer::values
