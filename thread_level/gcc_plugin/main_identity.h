/// The main thread of MPI as programs tell it by identities of threads: one thread, which can only
/// be the main one, writes its own to a variable or member, and others compare theirs with that.
#pragma once

#include "thread_level/gcc_plugin/gathering.h"
#include "thread_level/gcc_plugin/pruning.h"
#include "thread_level/gcc_plugin/source_walk.h"
#include "thread_level/gcc_plugin/values.h"

namespace mqinspect::thread_level::plugin {

/// What names a thread: a call that returns the identity of the caller, or a static variable or
/// member that may hold that of one. Neither: it can't be told.
struct NamedThread {
    bool is_caller = false;
    unsigned keeper = 0;  ///< DECL_UID
};

/// Whether it is a static variable, or a member of an object that is not one of many, for the
/// identity of a thread.
bool is_identity_keeper(tree reference);
/// Whether a call writes to such a one, or hands its address to a function that may.
bool may_write_identity(const gcall* call, bool is_harmless);

/// Of an argument or operand in the function that GCC is at.
NamedThread named_thread(tree operand, Callees& callees, Values& values);

/// Notes what the function writes to keepers of identities.
void note_identities(Gathering& gathering,
                     Callees& callees,
                     const SourceWalk& source,
                     Values& values);

/// Whether a keeper has the identity of the main thread, as soon as the unit is gathered: its
/// function, or the one that initializes MPI, has written its own to it, or the start of the
/// program has, and nothing else is written. Units that only declare a variable don't know.
bool is_of_main_thread(const Gathering& gathering, unsigned keeper);

/// Takes back what functions are said to return that compare with another identity.
void settle_identities(Gathering& gathering, const FunctionsBySymbol& functions);

}  // namespace mqinspect::thread_level::plugin
