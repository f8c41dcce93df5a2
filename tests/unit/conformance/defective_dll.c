/* A debugger DLL that keeps every rule, but for the one that it was compiled to break.
 *
 * Its target has a variable `state`: two ints, the size of MPI_COMM_WORLD and the number
 * of posted receives, all from rank 0 with rising tags.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "include/mpi_interface.h"

#define EXPORT __attribute__((visibility("default")))

enum { err_target = mqs_first_user_code, err_order };

struct _mqs_image_info {
    const mqs_image_callbacks* callbacks;
    mqs_taddr_t state;
};

struct _mqs_process_info {
    const mqs_process_callbacks* callbacks;
    mqs_taddr_t state;
    int size;
    int receives;
    int communicator; /* 0: at hand */
    int next;
    int updated;
};

static const mqs_basic_callbacks* basic;
static void* kept;

EXPORT void mqs_setup_basic_callbacks(const mqs_basic_callbacks* callbacks) {
    basic = callbacks;
}

EXPORT char* mqs_version_string(void) {
    return "defective 1";
}

EXPORT int mqs_version_compatibility(void) {
    return MQS_INTERFACE_COMPATIBILITY;
}

EXPORT int mqs_dll_taddr_width(void) {
    return (int)sizeof(mqs_taddr_t);
}

EXPORT char* mqs_dll_error_string(int code) {
#ifndef NO_ERROR_TEXT
    if (code == err_order) return "not now";
    if (code == err_target) return "the target cannot be read";
#endif
    (void)code;
    return "unknown error";
}

EXPORT int mqs_setup_image(mqs_image* image, const mqs_image_callbacks* callbacks) {
    mqs_image_info* info = basic->mqs_malloc_fp(sizeof *info);
    if (info == NULL) return err_target;
    info->callbacks = callbacks;
    info->state = 0;
    basic->mqs_put_image_info_fp(image, info);
    return mqs_ok;
}

EXPORT int mqs_image_has_queues(mqs_image* image, char** message) {
    mqs_image_info* info = basic->mqs_get_image_info_fp(image);
    *message = NULL;
    mqs_type* type = info->callbacks->mqs_find_type_fp(image, "State", mqs_lang_c);
    if (type == NULL || info->callbacks->mqs_field_offset_fp(type, "size") != 0) return err_target;
#ifdef USES_OPTIONAL_CALLBACKS
    if (info->callbacks->mqs_sizeof_fp(type) < 0) return err_target;
#endif
    if (info->callbacks->mqs_find_symbol_fp(image, "state", &info->state) != mqs_ok) {
        return err_target;
    }
    return mqs_ok;
}

EXPORT int mqs_destroy_image_info(mqs_image_info* info) {
    basic->mqs_free_fp(info);
    return mqs_ok;
}

EXPORT int mqs_setup_process(mqs_process* process, const mqs_process_callbacks* callbacks) {
    mqs_process_info* info = basic->mqs_malloc_fp(sizeof *info);
    if (info == NULL) return err_target;
    memset(info, 0, sizeof *info);
    info->callbacks = callbacks;
    info->state = basic->mqs_get_image_info_fp(callbacks->mqs_get_image_fp(process))->state;
    info->communicator = -1;
    info->next = -1;
    basic->mqs_put_process_info_fp(process, info);
#ifdef READS_LONG_TABLES
    if (((const void* const*)callbacks)[5] == NULL) return err_target;
#endif
    return mqs_ok;
}

EXPORT int mqs_process_has_queues(mqs_process* process, char** message) {
    (void)process;
    *message = NULL;
    return mqs_ok;
}

EXPORT int mqs_destroy_process_info(mqs_process_info* info) {
#ifdef OVERRUNS
    ((char*)info)[sizeof *info] = 1;
#endif
    basic->mqs_free_fp(info);
    return mqs_ok;
}

static int misbehave(void) {
#ifdef LEAKS
    basic->mqs_malloc_fp(100);
#endif
#ifdef ALLOCATES
    kept = malloc(1000);
#endif
#ifdef PRINTS
    printf("look at me\n");
    fflush(stdout);
#endif
#ifdef SLEEPS
    usleep(1);
#endif
#ifdef CONNECTS
    if (socket(AF_INET, SOCK_STREAM, 0) < 0) return err_order;
#endif
#ifdef HANGS
    for (volatile int forever = 1; forever;) {
    }
#endif
    return mqs_ok;
}

EXPORT int mqs_update_communicator_list(mqs_process* process) {
    mqs_process_info* info = basic->mqs_get_process_info_fp(process);
    int words[2] = {0, 0};
    misbehave();
    info->updated = 0;
    info->communicator = -1;
#ifdef READS_NULL
    info->callbacks->mqs_fetch_data_fp(process, 0, 4, words);
#endif
    const int read = info->callbacks->mqs_fetch_data_fp(process, info->state, sizeof words, words);
#ifndef IGNORES_FAILURE
    if (read != mqs_ok) return err_target;
#else
    (void)read;
#endif
    info->size = words[0];
    info->receives = words[1];
    info->updated = 1;
#ifdef KEEPS_STATE
    static int looks;
    info->receives += looks++ % 2;
#endif
    return mqs_ok;
}

EXPORT int mqs_setup_communicator_iterator(mqs_process* process) {
    mqs_process_info* info = basic->mqs_get_process_info_fp(process);
    info->next = -1;
    if (!info->updated) return mqs_no_information;
    info->communicator = 0;
    return info->size > 0 ? mqs_ok : mqs_end_of_list;
}

EXPORT int mqs_get_communicator(mqs_process* process, mqs_communicator* communicator) {
    const mqs_process_info* info = basic->mqs_get_process_info_fp(process);
    if (info->communicator != 0) return err_order;
    communicator->unique_id = 7;
    communicator->local_rank = 0;
    communicator->size = info->size;
#ifdef UNTERMINATED
    memset(communicator->name, 'x', sizeof communicator->name);
#else
    strcpy(communicator->name, "MPI_COMM_WORLD");
#endif
    return mqs_ok;
}

EXPORT int mqs_get_comm_group(mqs_process* process, int* group) {
    const mqs_process_info* info = basic->mqs_get_process_info_fp(process);
    if (info->communicator != 0) return err_order;
    for (int i = 0; i < info->size; ++i)
        group[i] = i;
#ifdef WRONG_GROUP
    group[info->size] = info->size;
#endif
    return mqs_ok;
}

EXPORT int mqs_next_communicator(mqs_process* process) {
    mqs_process_info* info = basic->mqs_get_process_info_fp(process);
    info->next = -1;
    if (info->communicator < 0) {
#ifdef CRASHES_PAST_THE_END
        abort();
#endif
        return err_order;
    }
    info->communicator = -1;
#ifdef ODD_CODE
    return 5;
#else
    return mqs_end_of_list;
#endif
}

EXPORT int mqs_setup_operation_iterator(mqs_process* process, int queue) {
    mqs_process_info* info = basic->mqs_get_process_info_fp(process);
    info->next = -1;
    if (info->communicator < 0) return err_order;
    if (queue != mqs_pending_receives) {
        return queue == mqs_pending_sends ? mqs_end_of_list : mqs_no_information;
    }
    info->next = 0;
    return mqs_ok;
}

EXPORT int mqs_next_operation(mqs_process* process, mqs_pending_operation* operation) {
    mqs_process_info* info = basic->mqs_get_process_info_fp(process);
    if (info->next < 0) return err_order;
#ifdef WRITES_AT_THE_END
    operation->status = mqs_st_pending;
#endif
    if (info->next >= info->receives) return mqs_end_of_list;
    operation->status = mqs_st_pending;
    operation->desired_local_rank = 0;
#ifndef FORGETS_A_MEMBER
    operation->desired_global_rank = 0;
#endif
    operation->tag_wild = 0;
    operation->desired_tag = info->next++;
    operation->desired_length = 8;
    operation->system_buffer = 0;
    operation->buffer = 0x1000;
    strcpy(operation->extra_text[0], "receive");
    operation->extra_text[1][0] = '\0';
#ifdef FIVE_LINES
    for (int i = 0; i < 5; ++i)
        strcpy(operation->extra_text[i], "line");
#endif
    return mqs_ok;
}

/* Not static alone: the compiler must not see that nobody reads it. */
EXPORT void* defective_dll_kept(void) {
    return kept;
}
