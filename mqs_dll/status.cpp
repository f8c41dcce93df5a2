#include "mqs_dll/status.h"

#include "mqs_dll/text.h"

namespace mqinspect::dll {
namespace {

// The interface wants char*, so the texts are writable arrays, filled on demand.
constinit char text_room[160];
constinit char missing_layout_room[1024];

const char* text_of(Status status) {
    switch (status) {
        case Status::Ok:
            return "no error";
        case Status::NoInformation:
            return "no information";
        case Status::EndOfList:
            return "end of list";
        case Status::NoCallbacks:
            return "the debugger did not supply a required callback";
        case Status::OutOfMemory:
            return "the debugger has no memory left for the DLL";
        case Status::NotSetUp:
            return "the image or process was not set up";
        case Status::MissingLayout:
            return "the MPI library lacks debug information";
        case Status::UnreadableMemory:
            return "memory of the process cannot be read";
        case Status::CorruptData:
            return "a list or table of the MPI library is damaged or in change";
        case Status::NoSnapshot:
            return "the communicators were not updated";
        case Status::NoCurrentCommunicator:
            return "there is no current communicator";
        case Status::NoCurrentOperation:
            return "there is no current operation";
        case Status::UnknownQueue:
            return "unknown class of operations";
        case Status::NoRoom:
            return "the debugger's buffer is too small";
        case Status::InvalidIdentity:
            return "a process cannot be called by a negative number";
        case Status::NoFunction:
            return "the MPI library has no function that tells of spawned processes";
    }
    return "unknown error code";
}

}  // namespace

char* describe_status(int result_code) {
    const auto status = static_cast<Status>(result_code);
    if (status == Status::MissingLayout && missing_layout_room[0] != '\0') {
        return missing_layout_room;
    }
    TextWriter text(text_room, sizeof text_room);
    text.append(text_of(status));
    return text_room;
}

void remember_missing_layout(const char* text) {
    TextWriter writer(missing_layout_room, sizeof missing_layout_room);
    writer.append(text);
}

}  // namespace mqinspect::dll
