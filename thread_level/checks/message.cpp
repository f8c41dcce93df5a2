#include "thread_level/checks/message.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "thread_level/checks/line.h"
#include "thread_level/checks/mpi_library.h"

namespace mqinspect::thread_level::checks {
namespace {

/// The caller's errno stays what it was.
void write_message(Line& line) {
    const int error = errno;
    line.write_to(STDERR_FILENO);
    errno = error;
}

void add_place(Line& line, const Site& site) {
    line << site.file << ":" << site.line;
    // gfortran has no columns for some statements.
    if (site.column[0] != '\0' && std::strcmp(site.column, "0") != 0) line << ":" << site.column;
}

void start(Line& line, const Site& site) {
    add_place(line, site);
    line << ": MPI thread level";
    if (own_rank() >= 0) line << ", rank " << static_cast<long>(own_rank());
    line << ": ";
}

void add_thread(Line& line, const Party& party) {
    if (party.size > 1) {
        line << "thread " << static_cast<long>(party.thread) << " of "
             << static_cast<long>(party.size);
    } else {
        line << "a thread outside of parallel regions";
    }
}

void add_both(Line& line, const Party& one, const Party& other) {
    start(line, *one.site);
    line << one.site->procedure << " by ";
    add_thread(line, one);
    line << " and " << other.site->procedure << " at ";
    add_place(line, *other.site);
    if (other.is_chance) {
        line << ", which another thread could have executed,";
    } else {
        line << " by ";
        add_thread(line, other);
    }
}

}  // namespace

void say(const char* what) {
    Line line;
    line << "mpi-thread-level: " << what;
    write_message(line);
}

void say(const char* what, const char* name, int error) {
    Line line;
    line << "mpi-thread-level: " << what << " " << name << ": " << std::strerror(error);
    write_message(line);
}

void say_level(const Party& party, int is_main, int needed, int provided) {
    Line line;
    start(line, *party.site);
    line << party.site->procedure << " by ";
    if (party.size <= 1 && is_main == 0) {
        line << "another thread than the main one";
    } else {
        add_thread(line, party);
    }
    line << " needs " << name_of_level(needed) << ", but MPI provides " << name_of_level(provided);
    write_message(line);
}

void say_pair(const Party& one, const Party& other, bool overlapped, int provided) {
    Line line;
    add_both(line, one, other);
    line << (overlapped ? " ran at the same time" : " may run at the same time")
         << ": that needs MPI_THREAD_MULTIPLE, but MPI provides " << name_of_level(provided);
    write_message(line);
}

void say_collectives(const Party& one, const Party& other) {
    Line line;
    add_both(line, one, other);
    line << " are collective operations on one communicator, in no order: wrong at every thread "
            "level";
    write_message(line);
}

}  // namespace mqinspect::thread_level::checks
