#include "tests/programs/pending_records.h"

#include <stdio.h>
#include <stdlib.h>

MPI_Comm communicators[kCommunicators];
MPI_Datatype column;
MPI_Datatype particle;
MPI_Datatype field;

static int my_rank = -1;
static FILE* records = NULL;
static char final_name[4096];
static char partial_name[4104];

int bytes_of(int count, MPI_Datatype datatype) {
    int size = 0;
    MPI_Type_size(datatype, &size);
    return count * size;
}

static MPI_Group peer_group(int communicator) {
    int inter = 0;
    MPI_Group group;
    MPI_Comm_test_inter(communicators[communicator], &inter);
    if (inter) {
        MPI_Comm_remote_group(communicators[communicator], &group);
    } else {
        MPI_Comm_group(communicators[communicator], &group);
    }
    return group;
}

static int world_rank_of(MPI_Group group, int rank) {
    MPI_Group world;
    int result = -1;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_translate_ranks(group, 1, &rank, world, &result);
    MPI_Group_free(&world);
    return result;
}

static void write_text(const char* key, const char* text) {
    if (text == NULL || text[0] == '\0') {
        fprintf(records, "\"%s\":null,", key);
    } else {
        fprintf(records, "\"%s\":\"%s\",", key, text);
    }
}

/// A number, or null if it is `unknown`.
static void write_number(const char* key, long number, long unknown) {
    if (number == unknown) {
        fprintf(records, "\"%s\":null,", key);
    } else {
        fprintf(records, "\"%s\":%ld,", key, number);
    }
}

static void write_group(const char* key, MPI_Group group) {
    int size = 0;
    MPI_Group_size(group, &size);
    fprintf(records, "\"%s\":[", key);
    for (int rank = 0; rank < size; ++rank) {
        fprintf(records, "%s%d", rank == 0 ? "" : ",", world_rank_of(group, rank));
    }
    fprintf(records, "],");
}

static void record_communicator(int communicator) {
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    int inter = 0;
    MPI_Group members;
    MPI_Group remote = MPI_GROUP_EMPTY;
    MPI_Comm_get_name(communicators[communicator], name, &length);
    MPI_Comm_group(communicators[communicator], &members);
    MPI_Comm_test_inter(communicators[communicator], &inter);
    if (inter) {
        MPI_Comm_remote_group(communicators[communicator], &remote);
    }
    fprintf(records, "{\"record\":\"communicator\",\"key\":%d,", communicator);
    write_text("name", name);
    write_group("members", members);
    write_group("remote_members", remote);
    fprintf(records, "\"rank\":%d}\n", my_rank);
}

void record(struct Operation operation) {
    MPI_Group peers = peer_group(operation.communicator);
    int any_source = operation.peer == MPI_ANY_SOURCE;
    char datatype[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    if (operation.datatype != MPI_DATATYPE_NULL) {
        MPI_Type_get_name(operation.datatype, datatype, &length);
    }
    fprintf(records, "{\"record\":\"operation\",\"communicator\":%d,", operation.communicator);
    write_text("queue", operation.queue);
    write_number("comm_peer", operation.peer, MPI_ANY_SOURCE);
    write_number("world_peer", any_source ? -1 : world_rank_of(peers, operation.peer), -1);
    write_number("tag", operation.tag, MPI_ANY_TAG);
    write_number("bytes", operation.bytes, -1);
    write_number("count", operation.count, -1);
    write_text("datatype", datatype);
    write_text("function", operation.function);
    write_text("mode", operation.mode);
    write_text("state", operation.state);
    write_number("request", (long)(unsigned)operation.request, (unsigned)MPI_REQUEST_NULL);
    fprintf(records, "\"persistent\":%s,", operation.persistent ? "true" : "false");
    fprintf(records, "\"optional\":%s,", operation.optional ? "true" : "false");
    fprintf(records, "\"rank\":%d}\n", my_rank);
    MPI_Group_free(&peers);
}

void record_communicators(void) {
    for (int i = 0; i < kCommunicators; ++i) {
        if (communicators[i] != MPI_COMM_NULL) {
            record_communicator(i);
        }
    }
}

void create_communicators(int rank) {
    int sides[2] = {2, 2};
    int periods[2] = {1, 1};
    int left = (rank + 3) % 4;
    int right = (rank + 1) % 4;
    const int outer[2] = {0, 3};
    MPI_Group world;
    MPI_Group pair;
    MPI_Comm* comm = communicators;
    comm[kWorld] = MPI_COMM_WORLD;
    comm[kSelf] = MPI_COMM_SELF;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm[kCopy]);
    MPI_Comm_set_name(comm[kCopy], "copy");
    MPI_Comm_dup(MPI_COMM_WORLD, &comm[kUnnamed]);
    MPI_Comm_set_name(comm[kUnnamed], "");
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comm[kParity]);
    MPI_Comm_set_name(comm[kParity], rank % 2 == 0 ? "parity 0" : "parity 1");
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm[kReversed]);
    MPI_Comm_set_name(comm[kReversed], "reversed");
    MPI_Cart_create(MPI_COMM_WORLD, 2, sides, periods, 0, &comm[kGrid]);
    MPI_Comm_set_name(comm[kGrid], "grid");
    MPI_Intercomm_create(comm[kParity], 0, MPI_COMM_WORLD, 1 - rank % 2, 1, &comm[kBridge]);
    MPI_Comm_set_name(comm[kBridge], "bridge");
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 2, outer, &pair);
    MPI_Comm_create(MPI_COMM_WORLD, pair, &comm[kPair]);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD,
                                   1,
                                   &left,
                                   MPI_UNWEIGHTED,
                                   1,
                                   &right,
                                   MPI_UNWEIGHTED,
                                   MPI_INFO_NULL,
                                   0,
                                   &comm[kGraph]);
    MPI_Comm_set_name(comm[kGraph], "ring graph");
    MPI_Comm_split(comm[kReversed], rank == 3 ? MPI_UNDEFINED : 0, 0, &comm[kInner]);
    if (comm[kPair] != MPI_COMM_NULL) {
        MPI_Comm_set_name(comm[kPair], "outer pair");
    }
    if (comm[kInner] != MPI_COMM_NULL) {
        MPI_Comm_set_name(comm[kInner], "inner");
    }
}

void create_datatypes(void) {
    const int lengths[2] = {3, 1};
    const MPI_Aint offsets[2] = {0, 3 * sizeof(double)};
    const MPI_Datatype types[2] = {MPI_DOUBLE, MPI_CHAR};
    MPI_Datatype packed;
    MPI_Type_vector(8, 1, 8, MPI_DOUBLE, &column);
    MPI_Type_create_struct(2, lengths, offsets, types, &packed);
    MPI_Type_create_resized(packed, 0, 4 * sizeof(double), &particle);
    MPI_Type_vector(40000, 1, 2, MPI_DOUBLE, &field);
    MPI_Type_set_name(column, "column");
    MPI_Type_set_name(particle, "particle");
    MPI_Type_commit(&column);
    MPI_Type_commit(&particle);
    MPI_Type_commit(&field);
}

void open_records(const char* folder, int rank) {
    my_rank = rank;
    snprintf(final_name, sizeof final_name, "%s/%d.json", folder, my_rank);
    snprintf(partial_name, sizeof partial_name, "%s.part", final_name);
    records = fopen(partial_name, "w");
    if (records == NULL) {
        abort();
    }
}

void publish_records(void) {
    fclose(records);
    rename(partial_name, final_name);
}
