#include "analysis/findings.h"

#include <algorithm>
#include <utility>

namespace mqinspect::analysis {

namespace {

std::string_view intraprocess_name(FindingClass finding_class) {
    switch (finding_class) {
        case FindingClass::Abend:
            return "abend";
        case FindingClass::Abort:
            return "abort";
        case FindingClass::IncompleteCall:
            return "incomplete call";
        case FindingClass::UnfinishedSend:
            return "unfinished send";
        case FindingClass::UnfinishedReceive:
            return "unfinished recv";
        case FindingClass::NonfreedRequest:
            return "nonfreed request";
        case FindingClass::Overlapping:
            return "overlapping";
        case FindingClass::SendChecksum:
            return "send checksum";
        case FindingClass::NonpersistentRequestFree:
            return "nonpersistent request free";
        case FindingClass::WrongRequestFree:
            return "wrong request free";
        case FindingClass::RequestCancel:
            return "request cancel";
        default:
            return {};
    }
}

std::string_view interprocess_name(FindingClass finding_class) {
    switch (finding_class) {
        case FindingClass::NonpairedSend:
            return "nonpaired send";
        case FindingClass::NonpairedReceive:
            return "nonpaired recv";
        case FindingClass::ReceiveChecksum:
            return "recv checksum";
        case FindingClass::IncorrectSendSize:
            return "incorrect send size";
        case FindingClass::WrongSendSize:
            return "wrong send size";
        case FindingClass::WrongDataType:
            return "wrong data type";
        case FindingClass::IncompleteCollective:
            return "incomplete gop";
        case FindingClass::UnfinishedCollective:
            return "unfinished gop";
        case FindingClass::IncorrectReceiveSize:
            return "incorrect recv size";
        case FindingClass::WrongReceiveSize:
            return "wrong recv size";
        case FindingClass::DifferentReductions:
            return "diff reductions";
        case FindingClass::WrongRootProcess:
            return "wrong root process";
        case FindingClass::PotentialHangUp:
            return "potential hang-up";
        case FindingClass::RealHangUp:
            return "real hang-up";
        case FindingClass::PotentialDeadlock:
            return "potential deadlock";
        case FindingClass::RealDeadlock:
            return "real deadlock";
        default:
            return {};
    }
}

std::string_view further_name(FindingClass finding_class) {
    switch (finding_class) {
        case FindingClass::DifferentCollectives:
            return "different collectives";
        case FindingClass::MessageRace:
            return "message race";
        case FindingClass::LeakedCommunicator:
            return "leaked communicator";
        case FindingClass::LeakedGroup:
            return "leaked group";
        case FindingClass::LeakedDatatype:
            return "leaked datatype";
        case FindingClass::LeakedOperator:
            return "leaked operator";
        case FindingClass::LeakedWindow:
            return "leaked window";
        case FindingClass::LeakedFile:
            return "leaked file";
        case FindingClass::LeakedInfo:
            return "leaked info";
        case FindingClass::LeakedErrorHandler:
            return "leaked error handler";
        case FindingClass::LeakedAttributeKey:
            return "leaked attribute key";
        case FindingClass::LeakedMemory:
            return "leaked memory";
        case FindingClass::LeakedPort:
            return "leaked port";
        case FindingClass::InvalidArgument:
            return "invalid argument";
        case FindingClass::MpiError:
            return "MPI error";
        case FindingClass::EpochError:
            return "epoch error";
        case FindingClass::RmaConflict:
            return "RMA conflict";
        case FindingClass::FileConflict:
            return "file conflict";
        case FindingClass::PendingOperation:
            return "pending operation";
        case FindingClass::NotStarted:
            return "request not started";
        case FindingClass::PendingBufferAccess:
            return "pending buffer access";
        case FindingClass::UseAfterFree:
            return "use after free";
        case FindingClass::MissingFinalize:
            return "missing finalize";
        case FindingClass::CallOutsideMpi:
            return "call outside MPI";
        case FindingClass::ThreadLevel:
            return "thread level";
        case FindingClass::UserDataChanged:
            return "user data changed";
        default:
            return {};
    }
}

}  // namespace

std::string_view name_of(FindingClass finding_class) {
    if (const auto name = intraprocess_name(finding_class); !name.empty()) return name;
    if (const auto name = interprocess_name(finding_class); !name.empty()) return name;
    return further_name(finding_class);
}

void add_consequence(Finding& finding, std::string text) {
    auto& all = finding.consequences;
    if (std::ranges::find(all, text) == all.end()) all.push_back(std::move(text));
}

}  // namespace mqinspect::analysis
