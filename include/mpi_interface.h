/* The message queue dumping interface between a debugger and an MPI library's
 * debugger DLL.
 *
 * Follows James Cownie, "MPI Message Queue Dumping", version 1.06 (October
 * 2000), and the MPI Forum's "MPI Message Queue Dumping Interface", 1.0 (2013).
 * Sizes, member order and enumerator values are those that TotalView, DDT, padb
 * and the DLLs of MPICH and Open MPI were compiled with; on x86-64:
 * mqs_communicator 88 bytes, mqs_pending_operation 416, the basic, image and
 * process callback tables 64, 48 and 32 bytes (80, 48 and 48 with FOR_MPI2).
 *
 * Define FOR_MPI2 to a non-zero value for the MPI-2 part: jobs, process
 * identities and spawned processes. A host that supports it may load a DLL of
 * either level; a host that does not must refuse level 3.
 *
 * Plain C; usable from C++. All pointers belong to the side that made them
 * unless a comment says otherwise. All lengths are bytes.
 */
#ifndef MPI_INTERFACE_H
#define MPI_INTERFACE_H

#include <stddef.h>
#include <stdio.h> /* FILENAME_MAX */

#ifndef FOR_MPI2
#define FOR_MPI2 0
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The value that mqs_version_compatibility returns. */
enum {
#if FOR_MPI2
    MQS_INTERFACE_COMPATIBILITY = 3
#else
    MQS_INTERFACE_COMPATIBILITY = 2
#endif
};

/* ---- Types ------------------------------------------------------------- */

/* Opaque handles: the first three point to what the DLL keeps, the others to
 * what the debugger keeps. */
typedef struct _mqs_image_info mqs_image_info;
typedef struct _mqs_process_info mqs_process_info;
typedef struct mqs_image_ mqs_image;
typedef struct mqs_process_ mqs_process;
typedef struct mqs_type_ mqs_type;
#if FOR_MPI2
typedef struct _mqs_job_info mqs_job_info;
typedef struct mqs_job_ mqs_job;
#endif

/* Wide enough for an address and a word of any target of this host. */
typedef unsigned long mqs_taddr_t;
typedef long mqs_tword_t;

/* Sizes of the target's basic types. Exactly five ints: DLLs put this struct on
 * their stack, so a host that writes more corrupts them. */
typedef struct {
    int short_size;
    int int_size;
    int long_size;
    int long_long_size;
    int pointer_size;
} mqs_target_type_sizes;

/* Result codes. Both sides number their own codes from mqs_first_user_code. */
enum { mqs_ok = 0, mqs_no_information, mqs_end_of_list, mqs_first_user_code = 100 };

typedef enum {
    mqs_lang_c = 'c',
    mqs_lang_cplus = 'C',
    mqs_lang_f77 = 'f',
    mqs_lang_f90 = 'F'
} mqs_lang_code;

/* The queue that an operation iterator walks. */
typedef enum { mqs_pending_sends, mqs_pending_receives, mqs_unexpected_messages } mqs_op_class;

/* The rank of a process that is in no world the debugger knows. */
enum { MQS_INVALID_PROCESS = -1 };

enum mqs_status { mqs_st_pending, mqs_st_matched, mqs_st_complete };

typedef struct {
    mqs_taddr_t unique_id;  /* identifies the communicator */
    mqs_tword_t local_rank; /* MPI_Comm_rank of this process */
    mqs_tword_t size;       /* MPI_Comm_size */
    char name[64];          /* NUL-terminated; any text, shown as it is */
} mqs_communicator;

typedef struct {
    /* Valid for every operation. */
    int status;                      /* enum mqs_status */
    mqs_tword_t desired_local_rank;  /* peer in the communicator, -1 for MPI_ANY_SOURCE */
    mqs_tword_t desired_global_rank; /* the same in MPI_COMM_WORLD */
    int tag_wild;                    /* non-zero for MPI_ANY_TAG */
    mqs_tword_t desired_tag;         /* valid only if tag_wild is zero */
    mqs_tword_t desired_length;      /* bytes of the buffer */
    int system_buffer;               /* non-zero if the buffer is not the user's */
    mqs_taddr_t buffer;

    /* Valid for a send, and for others once status is mqs_st_matched. */
    mqs_tword_t actual_local_rank;
    mqs_tword_t actual_global_rank;
    mqs_tword_t actual_tag;
    mqs_tword_t actual_length; /* bytes */

    /* Lines shown to the user, up to the first empty one. */
    char extra_text[5][64];
} mqs_pending_operation;

#if FOR_MPI2
/* Where to find a process of another world. */
typedef struct mqs_process_location {
    long pid;                      /* -1 if the DLL cannot tell */
    char image_name[FILENAME_MAX]; /* empty, likewise */
    char host_name[64];            /* empty, likewise */
} mqs_process_location;
#endif

/* ---- Callbacks: from the DLL into the debugger ------------------------- */

/* Heap of the debugger. */
typedef void* (*mqs_malloc_ft)(size_t);
typedef void (*mqs_free_ft)(void*);

/* Prints a message of the DLL; for its own debugging only. May be NULL. */
typedef void (*mqs_dprints_ft)(const char*);
/* Text of an error code of the debugger. May be NULL. */
typedef char* (*mqs_errorstring_ft)(int);

/* What the DLL hangs on an image, a process and a job; NULL until put. */
typedef void (*mqs_put_image_info_ft)(mqs_image*, mqs_image_info*);
typedef mqs_image_info* (*mqs_get_image_info_ft)(mqs_image*);
typedef void (*mqs_put_process_info_ft)(mqs_process*, mqs_process_info*);
typedef mqs_process_info* (*mqs_get_process_info_ft)(mqs_process*);
#if FOR_MPI2
typedef void (*mqs_put_job_info_ft)(mqs_job*, mqs_job_info*);
typedef mqs_job_info* (*mqs_get_job_info_ft)(mqs_job*);
#endif

typedef struct mqs_basic_callbacks {
    mqs_malloc_ft mqs_malloc_fp;
    mqs_free_ft mqs_free_fp;
    mqs_dprints_ft mqs_dprints_fp;
    mqs_errorstring_ft mqs_errorstring_fp;
    mqs_put_image_info_ft mqs_put_image_info_fp;
    mqs_get_image_info_ft mqs_get_image_info_fp;
    mqs_put_process_info_ft mqs_put_process_info_fp;
    mqs_get_process_info_ft mqs_get_process_info_fp;
#if FOR_MPI2
    mqs_put_job_info_ft mqs_put_job_info_fp;
    mqs_get_job_info_ft mqs_get_job_info_fp;
#endif
} mqs_basic_callbacks;

#if FOR_MPI2
/* The process with this index in the job, or NULL. */
typedef mqs_process* (*mqs_get_process_ft)(mqs_job*, int);

typedef struct mqs_job_callbacks {
    mqs_get_process_ft mqs_get_process_fp;
} mqs_job_callbacks;
#endif

typedef void (*mqs_get_type_sizes_ft)(mqs_process*, mqs_target_type_sizes*);
/* Looks a name up in every file that the process has loaded. Returns mqs_ok and
 * stores the address where the pointer is not NULL, else mqs_no_information. */
typedef int (*mqs_find_function_ft)(mqs_image*, char*, mqs_lang_code, mqs_taddr_t*);
typedef int (*mqs_find_symbol_ft)(mqs_image*, char*, mqs_taddr_t*);
/* A type by tag or typedef name, or NULL. The handle stays valid. */
typedef mqs_type* (*mqs_find_type_ft)(mqs_image*, char*, mqs_lang_code);
/* Byte offset of a member, also inside anonymous structs and unions, or -1. */
typedef int (*mqs_field_offset_ft)(mqs_type*, char*);
/* Size in bytes. Some hosts leave this NULL. */
typedef int (*mqs_sizeof_ft)(mqs_type*);

typedef struct mqs_image_callbacks {
    mqs_get_type_sizes_ft mqs_get_type_sizes_fp;
    mqs_find_function_ft mqs_find_function_fp;
    mqs_find_symbol_ft mqs_find_symbol_fp;
    mqs_find_type_ft mqs_find_type_fp;
    mqs_field_offset_ft mqs_field_offset_fp;
    mqs_sizeof_ft mqs_sizeof_fp;
} mqs_image_callbacks;

/* Rank in MPI_COMM_WORLD, or -1 while it is not known. */
typedef int (*mqs_get_global_rank_ft)(mqs_process*);
typedef mqs_image* (*mqs_get_image_ft)(mqs_process*);
/* Copies bytes of the target, in the target's byte order. All of them or none:
 * mqs_ok, or another code and an unspecified buffer. */
typedef int (*mqs_fetch_data_ft)(mqs_process*, mqs_taddr_t, int, void*);
/* Converts one value of the given size to the host's byte order. */
typedef void (*mqs_target_to_host_ft)(mqs_process*, const void*, void*, int);
#if FOR_MPI2
typedef mqs_job* (*mqs_get_process_job_ft)(mqs_process*);
/* Takes a process, although every published header says mqs_job*. */
typedef int (*mqs_get_process_identity_ft)(mqs_job*);
#endif

typedef struct mqs_process_callbacks {
    mqs_get_global_rank_ft mqs_get_global_rank_fp;
    mqs_get_image_ft mqs_get_image_fp;
    mqs_fetch_data_ft mqs_fetch_data_fp;
    mqs_target_to_host_ft mqs_target_to_host_fp;
#if FOR_MPI2
    mqs_get_process_job_ft mqs_get_process_job_fp;
    mqs_get_process_identity_ft mqs_get_process_identity_fp;
#endif
} mqs_process_callbacks;

/* ---- Calls: from the debugger into the DLL ----------------------------- */

/* Called first, once. The tables stay the debugger's and stay valid. */
extern void mqs_setup_basic_callbacks(const mqs_basic_callbacks*);

extern char* mqs_version_string(void);
extern int mqs_version_compatibility(void);
/* sizeof(mqs_taddr_t) as the DLL was compiled. */
extern int mqs_dll_taddr_width(void);
/* Text of a result code of the DLL; the DLL's. */
extern char* mqs_dll_error_string(int);

/* Images. The message has at most one %s, for the image's name; it may be set
 * whatever the result, and stays the DLL's. */
extern int mqs_setup_image(mqs_image*, const mqs_image_callbacks*);
extern int mqs_image_has_queues(mqs_image*, char**);
extern int mqs_destroy_image_info(mqs_image_info*);

/* Processes; only for an image that has queues. */
extern int mqs_setup_process(mqs_process*, const mqs_process_callbacks*);
extern int mqs_process_has_queues(mqs_process*, char**);
extern int mqs_destroy_process_info(mqs_process_info*);

/* Communicators. Update once per stop of the process, then iterate; there is
 * one iteration of each kind at a time in a process. Iterator set-ups return
 * mqs_ok, mqs_end_of_list or mqs_no_information; the next functions mqs_ok,
 * mqs_end_of_list, or an error. */
extern int mqs_update_communicator_list(mqs_process*);
extern int mqs_setup_communicator_iterator(mqs_process*);
extern int mqs_get_communicator(mqs_process*, mqs_communicator*);
extern int mqs_next_communicator(mqs_process*);
/* Ranks in MPI_COMM_WORLD of the current communicator's members, in rank order;
 * room for its size. For an intercommunicator: of its local group. */
extern int mqs_get_comm_group(mqs_process*, int*);

/* Operations of the current communicator. The int is an mqs_op_class. */
extern int mqs_setup_operation_iterator(mqs_process*, int);
extern int mqs_next_operation(mqs_process*, mqs_pending_operation*);

#if FOR_MPI2
extern int mqs_setup_job(mqs_job*, const mqs_job_callbacks*);
extern int mqs_destroy_job_info(mqs_job_info*);
extern int mqs_set_process_identity(mqs_process*, int);
/* Name of the function to stop in when processes have been spawned; the int is
 * the room of the buffer in bytes. */
extern int mqs_spawn_breakpoint_name(mqs_process*, char*, int);
extern int mqs_setup_new_process_iterator(mqs_process*);
/* One function, published under both names. */
extern int next_new_process(mqs_process*, mqs_process_location*);
extern int mqs_next_new_process(mqs_process*, mqs_process_location*);
#endif

#ifdef __cplusplus
}
#endif

#endif
