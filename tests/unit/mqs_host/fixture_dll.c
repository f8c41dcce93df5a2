/* A debugger DLL for the tests of its host; compiled once per defect.
 *
 * Knows a target with an object `fixture_state` of type FixtureState. With
 * FIXTURE_DEFECT it misbehaves in one way, at rank 1 where it concerns a rank.
 */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "include/mqs_extensions.h"
#include "tests/unit/mqs_host/hostile_acts.h"

/* The values of FIXTURE_DEFECT. */
#define NO_DEFECT 0
#define CRASHES 1
#define HANGS 2
#define PRINTS 3
#define LACKS_FUNCTIONS 4
#define OLD_LEVEL 5
#define OTHER_WIDTH 6
#define TELLS_JUNK 7
#define EXITS 8
#define NEVER_ENDS 9
#define CRASHES_AT_LOADING 10
#define HAS_NO_QUEUES 11
#define FAILS_ON_QUEUES 12
#define CLOSES_DESCRIPTORS 13
#define HOSTILE 14
#define CRASHES_ON_IDENTITY 15

#define EXPORT __attribute__((visibility("default")))
/* A function that the DLL does not have. */
#if FIXTURE_DEFECT == LACKS_FUNCTIONS
#define UNLESS_LACKING __attribute__((visibility("hidden")))
#else
#define UNLESS_LACKING EXPORT
#endif

enum { err_callbacks = mqs_first_user_code, err_target, err_queue, err_job };

struct _mqs_image_info {
    const mqs_image_callbacks* callbacks;
    mqs_taddr_t state;
    int operations_offset;
    int size_offset;
};

struct _mqs_process_info {
    const mqs_process_callbacks* callbacks;
    int rank;
    int identity;
    int size;
    int operations;
    int communicator;
    int queue;
    int next;
    int window;
    int peer;
};

static const mqs_basic_callbacks* basic;
#if FOR_MPI2
static int identities;
#endif

#if FOR_MPI2
struct _mqs_job_info {
    const mqs_job_callbacks* callbacks;
};

EXPORT int mqs_setup_job(mqs_job* job, const mqs_job_callbacks* callbacks) {
    mqs_job_info* info = basic->mqs_malloc_fp(sizeof *info);
    info->callbacks = callbacks;
    basic->mqs_put_job_info_fp(job, info);
    return mqs_ok;
}

EXPORT int mqs_destroy_job_info(mqs_job_info* info) {
    basic->mqs_free_fp(info);
    return mqs_ok;
}

EXPORT int mqs_set_process_identity(mqs_process* process, int identity) {
    if (FIXTURE_DEFECT == CRASHES_ON_IDENTITY && identity == 1) raise(SIGSEGV);
    ++identities;
    basic->mqs_get_process_info_fp(process)->identity = identity;
    return mqs_ok;
}

/* The job must lead back to the process. */
static int check_job(mqs_process* process, const mqs_process_info* info) {
    mqs_job* job = info->callbacks->mqs_get_process_job_fp(process);
    mqs_job_info* job_info = basic->mqs_get_job_info_fp(job);
    /* Every process has its identity before the first one is asked about. */
    if (identities < 3) return err_job;
    if (job_info == NULL || info->identity != info->rank) return err_job;
    if (job_info->callbacks->mqs_get_process_fp(job, info->rank) != process) return err_job;
    if (job_info->callbacks->mqs_get_process_fp(job, 1000) != NULL) return err_job;
    /* The header's type is mqs_job*, its meaning a process. */
    const int identity = info->callbacks->mqs_get_process_identity_fp((mqs_job*)process);
    return identity == info->rank ? mqs_ok : err_job;
}
#endif

EXPORT void mqs_setup_basic_callbacks(const mqs_basic_callbacks* callbacks) {
    basic = callbacks;
}

EXPORT char* mqs_version_string(void) {
    return "fixture 1";
}

EXPORT int mqs_version_compatibility(void) {
    return FIXTURE_DEFECT == OLD_LEVEL ? 1 : MQS_INTERFACE_COMPATIBILITY;
}

EXPORT int mqs_dll_taddr_width(void) {
    return FIXTURE_DEFECT == OTHER_WIDTH ? 4 : (int)sizeof(mqs_taddr_t);
}

EXPORT char* mqs_dll_error_string(int code) {
    switch (code) {
        case err_callbacks:
            return "a callback answers wrongly";
        case err_target:
            return "the target has no fixture_state";
        case err_queue:
            return "the queue is torn";
        case err_job:
            return "the job does not lead back to the process";
        default:
            return NULL;
    }
}

EXPORT int mqs_setup_image(mqs_image* image, const mqs_image_callbacks* callbacks) {
    mqs_image_info* info = basic->mqs_malloc_fp(sizeof *info);
    memset(info, 0, sizeof *info);
    info->callbacks = callbacks;
    basic->mqs_put_image_info_fp(image, info);
    return mqs_ok;
}

EXPORT int mqs_image_has_queues(mqs_image* image, char** message) {
    mqs_image_info* info = basic->mqs_get_image_info_fp(image);
    const mqs_image_callbacks* calls = info->callbacks;
    *message = "%s holds no queues";
    if (FIXTURE_DEFECT == HAS_NO_QUEUES) return mqs_no_information;
    mqs_type* type = calls->mqs_find_type_fp(image, "FixtureState", mqs_lang_c);
    if (type == NULL) return err_target;
    info->operations_offset = calls->mqs_field_offset_fp(type, "operations");
    info->size_offset = calls->mqs_field_offset_fp(type, "size");
    if (info->operations_offset < 0 || info->size_offset < 0) return err_target;
    if (calls->mqs_sizeof_fp(type) != 2 * (int)sizeof(int)) return err_callbacks;
    if (calls->mqs_field_offset_fp(type, "absent") != -1) return err_callbacks;
    if (calls->mqs_find_type_fp(image, "FixtureAbsent", mqs_lang_c) != NULL) return err_callbacks;
    if (calls->mqs_find_symbol_fp(image, "fixture_state", &info->state) != mqs_ok) {
        return err_target;
    }
    if (calls->mqs_find_symbol_fp(image, "fixture_absent", NULL) == mqs_ok) return err_callbacks;
    if (calls->mqs_find_function_fp(image, "fixture_breakpoint", mqs_lang_c, NULL) != mqs_ok) {
        return err_callbacks;
    }
    return mqs_ok;
}

EXPORT int mqs_destroy_image_info(mqs_image_info* info) {
    basic->mqs_free_fp(info);
    return mqs_ok;
}

static int check_process_callbacks(mqs_process* process, const mqs_process_callbacks* calls) {
    struct {
        mqs_target_type_sizes sizes;
        int guard[2];
    } guarded;
    memset(&guarded, 0x5A, sizeof guarded);
    mqs_image* image = calls->mqs_get_image_fp(process);
    const mqs_image_info* info = basic->mqs_get_image_info_fp(image);
    info->callbacks->mqs_get_type_sizes_fp(process, &guarded.sizes);
    if (guarded.guard[0] != 0x5A5A5A5A || guarded.guard[1] != 0x5A5A5A5A) return err_callbacks;
    if (guarded.sizes.pointer_size != 8 || guarded.sizes.short_size != 2) return err_callbacks;
    int value = 0;
    if (calls->mqs_fetch_data_fp(process, 0, 4, &value) != mqs_no_information) {
        return err_callbacks;
    }
    if (calls->mqs_fetch_data_fp(process, info->state, 0, &value) == mqs_ok) return err_callbacks;
    if (calls->mqs_fetch_data_fp(process, info->state, -1, &value) == mqs_ok) return err_callbacks;
    if (calls->mqs_fetch_data_fp(process, ULONG_MAX - 1, 4, &value) == mqs_ok) {
        return err_callbacks;
    }
    return mqs_ok;
}

static int read_int(mqs_process* process,
                    const mqs_process_callbacks* calls,
                    mqs_taddr_t address,
                    int* value) {
    int raw = 0;
    if (calls->mqs_fetch_data_fp(process, address, sizeof raw, &raw) != mqs_ok) return err_target;
    calls->mqs_target_to_host_fp(process, &raw, value, sizeof raw);
    return mqs_ok;
}

EXPORT int mqs_setup_process(mqs_process* process, const mqs_process_callbacks* callbacks) {
    if (check_process_callbacks(process, callbacks) != mqs_ok) return err_callbacks;
    mqs_process_info* info = basic->mqs_malloc_fp(sizeof *info);
    memset(info, 0, sizeof *info);
    info->callbacks = callbacks;
    info->rank = callbacks->mqs_get_global_rank_fp(process);
    basic->mqs_put_process_info_fp(process, info);
#if FIXTURE_DEFECT == HOSTILE
    const mqs_image_info* image = basic->mqs_get_image_info_fp(callbacks->mqs_get_image_fp(process));
    if (info->rank == 0) attempt_everything("later", (int*)(image->state + image->size_offset));
#endif
    if (FIXTURE_DEFECT == PRINTS) {
        printf("printed by the fixture\n");
        fflush(stdout);
        basic->mqs_dprints_fp("said by the fixture\n");
        for (int i = 0; i < 20000; ++i)
            fputs("noise ", stderr);
    }
    return mqs_ok;
}

EXPORT int mqs_process_has_queues(mqs_process* process, char** message) {
    (void)process;
    *message = NULL;
    return mqs_ok;
}

UNLESS_LACKING int mqs_destroy_process_info(mqs_process_info* info) {
    basic->mqs_free_fp(info);
    return mqs_ok;
}

EXPORT int mqs_update_communicator_list(mqs_process* process) {
    mqs_process_info* info = basic->mqs_get_process_info_fp(process);
    const mqs_image_info* image =
        basic->mqs_get_image_info_fp(info->callbacks->mqs_get_image_fp(process));
    if (FIXTURE_DEFECT == EXITS && info->rank == 1) exit(7);
    if (FIXTURE_DEFECT == CLOSES_DESCRIPTORS && info->rank == 1) {
        for (int fd = 0; fd < 1024; ++fd)
            close(fd);
    }
#if FOR_MPI2
    if (check_job(process, info) != mqs_ok) return err_job;
#endif
    if (read_int(process,
                 info->callbacks,
                 image->state + (mqs_taddr_t)image->size_offset,
                 &info->size) != mqs_ok) {
        return err_target;
    }
    return read_int(process,
                    info->callbacks,
                    image->state + (mqs_taddr_t)image->operations_offset,
                    &info->operations);
}

EXPORT int mqs_setup_communicator_iterator(mqs_process* process) {
    basic->mqs_get_process_info_fp(process)->communicator = 0;
    return mqs_ok;
}

EXPORT int mqs_get_communicator(mqs_process* process, mqs_communicator* communicator) {
    const mqs_process_info* info = basic->mqs_get_process_info_fp(process);
    communicator->unique_id = (mqs_taddr_t)info->communicator + 1;
    communicator->size = info->communicator == 0 ? info->size : 1;
    communicator->local_rank = info->communicator == 0 ? info->rank : 0;
    strcpy(communicator->name, info->communicator == 0 ? "MPI_COMM_WORLD" : "MPI_COMM_SELF");
    if (FIXTURE_DEFECT == TELLS_JUNK) {
        memset(communicator->name, 'n', sizeof communicator->name);
        communicator->size = LONG_MAX;
        communicator->local_rank = -77;
    }
    return mqs_ok;
}

EXPORT int mqs_get_comm_group(mqs_process* process, int* group) {
    const mqs_process_info* info = basic->mqs_get_process_info_fp(process);
    if (info->communicator == 1) group[0] = info->rank;
    for (int i = 0; info->communicator == 0 && i < info->size; ++i)
        group[i] = i;
    return mqs_ok;
}

EXPORT int mqs_next_communicator(mqs_process* process) {
    mqs_process_info* info = basic->mqs_get_process_info_fp(process);
    return ++info->communicator < 2 ? mqs_ok : mqs_end_of_list;
}

EXPORT int mqs_setup_operation_iterator(mqs_process* process, int queue) {
    mqs_process_info* info = basic->mqs_get_process_info_fp(process);
    info->queue = queue;
    info->next = 0;
    if (info->communicator != 0) return mqs_end_of_list;
    if (queue == mqs_unexpected_messages) return mqs_no_information;
    if (FIXTURE_DEFECT == FAILS_ON_QUEUES && queue == mqs_pending_receives) return err_queue;
    return queue == mqs_pending_sends ? mqs_end_of_list : mqs_ok;
}

/* Posted receives from MPI_ANY_SOURCE with rising tags. */
EXPORT int mqs_next_operation(mqs_process* process, mqs_pending_operation* operation) {
    mqs_process_info* info = basic->mqs_get_process_info_fp(process);
    if (info->rank == 1) {
        if (FIXTURE_DEFECT == CRASHES) raise(SIGSEGV);
        if (FIXTURE_DEFECT == HANGS)
            for (;;)
                pause();
    }
    if (FIXTURE_DEFECT != NEVER_ENDS && info->next >= info->operations) return mqs_end_of_list;
    operation->status = mqs_st_pending;
    operation->desired_local_rank = -1;
    operation->desired_global_rank = -1;
    operation->desired_tag = info->next++;
    operation->desired_length = 64;
    strcpy(operation->extra_text[0], "Receive");
    snprintf(operation->extra_text[1], sizeof operation->extra_text[1], "number %d", info->next);
    if (FIXTURE_DEFECT == TELLS_JUNK) {
        memset(operation, 0xEE, sizeof *operation);
    }
    return mqs_ok;
}

#if FIXTURE_DEFECT == NO_DEFECT || FIXTURE_DEFECT == TELLS_JUNK
EXPORT int mqs_setup_window_iterator(mqs_process* process) {
    basic->mqs_get_process_info_fp(process)->window = 0;
    return mqs_ok;
}

/* Two of the first communicator; junk ends in an error. */
EXPORT int mqs_next_window(mqs_process* process, mqs_window* window) {
    mqs_process_info* info = basic->mqs_get_process_info_fp(process);
    if (info->window++ == 2) return FIXTURE_DEFECT == TELLS_JUNK ? err_queue : mqs_end_of_list;
    info->peer = 0;
    window->communicator = 1;
    window->access = mqs_epoch_lock;
    strcpy(window->name, "halo");
    if (FIXTURE_DEFECT == TELLS_JUNK) {
        memset((char*)window + sizeof window->struct_size,
               0xEE,
               sizeof *window - sizeof window->struct_size);
    }
    return mqs_ok;
}

EXPORT int mqs_next_window_peer(mqs_process* process, mqs_window_peer* peer) {
    mqs_process_info* info = basic->mqs_get_process_info_fp(process);
    if (info->peer == 3) return mqs_end_of_list;
    peer->role = mqs_window_target;
    peer->rank = info->peer++;
    return mqs_ok;
}
#endif

#if FIXTURE_DEFECT == NO_DEFECT
/* Of something that nothing has asked for before. */
EXPORT int mqs_get_progress_count(mqs_process* process, mqs_taddr_t* count) {
    const mqs_process_callbacks* calls = basic->mqs_get_process_info_fp(process)->callbacks;
    mqs_image* image = calls->mqs_get_image_fp(process);
    const mqs_image_callbacks* image_calls = basic->mqs_get_image_info_fp(image)->callbacks;
    mqs_taddr_t address = 0;
    int moves = 0;
    if (image_calls->mqs_find_symbol_fp(image, "fixture_moves", &address) != mqs_ok) {
        return mqs_no_information;
    }
    if (read_int(process, calls, address, &moves) != mqs_ok) return err_target;
    *count = (mqs_taddr_t)moves;
    return mqs_ok;
}
#endif

#if FIXTURE_DEFECT == CRASHES_AT_LOADING
__attribute__((constructor)) static void crash(void) {
    abort();
}
#endif

#if FIXTURE_DEFECT == HOSTILE
extern char** environ;

/* The parent is the process that this one was forked from: the word lies there too. */
__attribute__((constructor)) static void attack(void) {
    attempt_everything("at loading", (int*)environ);
}
#endif
