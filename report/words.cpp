#include "report/words.h"

namespace mqinspect::report {

std::string_view name_of(model::RankState state) {
    switch (state) {
        case model::RankState::Blocked:
            return "blocked";
        case model::RankState::Running:
            return "running";
        case model::RankState::Exited:
            return "exited";
        case model::RankState::Unreadable:
            return "unreadable";
    }
    return "unreadable";
}

std::string_view name_of(analysis::VerdictKind kind) {
    switch (kind) {
        case analysis::VerdictKind::None:
            return "none";
        case analysis::VerdictKind::Deadlock:
            return "deadlock";
        case analysis::VerdictKind::HangUp:
            return "hang_up";
        case analysis::VerdictKind::Suspected:
            return "suspected";
        case analysis::VerdictKind::Crash:
            return "crash";
        case analysis::VerdictKind::Unknown:
            return "unknown";
    }
    return "unknown";
}

std::string_view name_of(model::Queue queue) {
    switch (queue) {
        case model::Queue::PostedReceive:
            return "posted_receive";
        case model::Queue::UnexpectedMessage:
            return "unexpected_message";
        case model::Queue::PendingSend:
            return "pending_send";
        case model::Queue::Collective:
            return "collective";
    }
    return "unknown";
}

std::string_view name_of(model::OperationState state) {
    switch (state) {
        case model::OperationState::Pending:
            return "pending";
        case model::OperationState::Matched:
            return "matched";
        case model::OperationState::Complete:
            return "complete";
    }
    return "unknown";
}

std::string_view name_of(model::SendMode mode) {
    switch (mode) {
        case model::SendMode::Unknown:
            return "";
        case model::SendMode::Standard:
            return "standard";
        case model::SendMode::Synchronous:
            return "synchronous";
        case model::SendMode::Ready:
            return "ready";
        case model::SendMode::Buffered:
            return "buffered";
    }
    return "";
}

std::string_view name_of(model::Protocol protocol) {
    switch (protocol) {
        case model::Protocol::Unknown:
            return "";
        case model::Protocol::Eager:
            return "eager";
        case model::Protocol::Rendezvous:
            return "rendezvous";
        case model::Protocol::Self:
            return "self";
    }
    return "";
}

}  // namespace mqinspect::report
