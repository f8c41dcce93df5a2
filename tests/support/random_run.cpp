#include "tests/support/random_run.h"

#include <algorithm>
#include <deque>
#include <map>
#include <random>

namespace mqinspect::test {

namespace {

using Kind = RandomRun::Step::Kind;

constexpr int kAny = -1;

struct Message {
    int id = 0;
    int source = 0;
    int tag = 0;
};

struct Posted {
    int id = 0;
    int source = 0;  ///< or kAny
    int tag = 0;     ///< or kAny
    bool met = false;
    int actual_source = 0;
    int actual_tag = 0;

    bool takes(const Message& message) const {
        return !met && (source == kAny || source == message.source) &&
               (tag == kAny || tag == message.tag);
    }
};

struct Process {
    std::deque<Message> unexpected;
    std::deque<Posted> posted;
    std::vector<int> open_sends;
};

/// An MPI library in a few lines: messages arrive at once.
class Library {
public:
    explicit Library(std::uint32_t seed) : random_(seed) {
        run_.processes = pick(2, 4);
        run_.steps.resize(static_cast<std::size_t>(run_.processes));
        processes_.resize(run_.steps.size());
    }

    RandomRun make() {
        const int actions = pick(2, 24);
        for (int action = 0; action < actions; ++action)
            act(pick(0, run_.processes - 1));
        finish();
        return std::move(run_);
    }

private:
    int pick(int low, int high) { return std::uniform_int_distribution(low, high)(random_); }
    Process& process(int rank) { return processes_[static_cast<std::size_t>(rank)]; }

    void say(int rank, const std::string& call, int id) {
        run_.statements += std::to_string(rank) + ": " + call + " @x:" + std::to_string(id) + "\n";
    }
    void step(int rank, Kind kind, int id) {
        run_.steps[static_cast<std::size_t>(rank)].push_back({kind, id});
    }
    static std::string wildcard(int value, const char* any) {
        return value == kAny ? any : std::to_string(value);
    }

    void act(int rank) {
        switch (pick(0, 5)) {
            case 0:
            case 1:
                return send(rank, pick(0, run_.processes - 1), pick(0, 2), pick(0, 1) == 0);
            case 2:
                return receive_what_is_there(rank);
            case 3:
                return post(
                    rank, pick(kAny, run_.processes - 1), pick(0, 2) == 0 ? kAny : pick(0, 2));
            case 4:
                return wait_for_one(rank);
            default:
                if (pick(0, 3) == 0) barrier();
        }
    }

    void send(int from, int to, int tag, bool blocking) {
        const int id = next_id_++;
        const std::string arguments =
            "(dest=" + std::to_string(to) + ", tag=" + std::to_string(tag);
        if (blocking) {
            say(from, "MPI_Send" + arguments + ")", id);
        } else {
            say(from, "MPI_Isend" + arguments + ", request=q" + std::to_string(id) + ")", id);
            process(from).open_sends.push_back(id);
        }
        step(from, blocking ? Kind::Send : Kind::Isend, id);
        const Message message{id, from, tag};
        for (Posted& posted : process(to).posted) {
            if (!posted.takes(message)) continue;
            meet(message, posted);
            return;
        }
        process(to).unexpected.push_back(message);
    }

    void meet(const Message& message, Posted& posted) {
        posted.met = true;
        posted.actual_source = message.source;
        posted.actual_tag = message.tag;
        run_.pairs.emplace(message.id, posted.id);
    }

    void receive_what_is_there(int rank) {
        Process& receiver = process(rank);
        if (receiver.unexpected.empty()) return;
        const auto at =
            static_cast<std::size_t>(pick(0, static_cast<int>(receiver.unexpected.size()) - 1));
        const Message& wanted = receiver.unexpected[at];
        const int source = pick(0, 2) == 0 ? kAny : wanted.source;
        const int tag = pick(0, 2) == 0 ? kAny : wanted.tag;
        receive(rank, source, tag);
    }

    void receive(int rank, int source, int tag) {
        Process& receiver = process(rank);
        Posted posted{next_id_++, source, tag, false, 0, 0};
        const auto found = std::find_if(receiver.unexpected.begin(),
                                        receiver.unexpected.end(),
                                        [&](const Message& one) { return posted.takes(one); });
        meet(*found, posted);
        receiver.unexpected.erase(found);
        say(rank,
            "MPI_Recv(source=" + wildcard(source, "MPI_ANY_SOURCE") +
                ", tag=" + wildcard(tag, "MPI_ANY_TAG") + ", status=" + status(posted) + ")",
            posted.id);
        step(rank, Kind::Receive, posted.id);
    }

    static std::string status(const Posted& posted) {
        return "[" + std::to_string(posted.actual_source) + "," +
               std::to_string(posted.actual_tag) + ",4]";
    }

    void post(int rank, int source, int tag) {
        Process& receiver = process(rank);
        Posted posted{next_id_++, source, tag, false, 0, 0};
        say(rank,
            "MPI_Irecv(source=" + wildcard(source, "MPI_ANY_SOURCE") + ", tag=" +
                wildcard(tag, "MPI_ANY_TAG") + ", request=q" + std::to_string(posted.id) + ")",
            posted.id);
        step(rank, Kind::Irecv, posted.id);
        const auto found = std::find_if(receiver.unexpected.begin(),
                                        receiver.unexpected.end(),
                                        [&](const Message& one) { return posted.takes(one); });
        if (found != receiver.unexpected.end()) {
            meet(*found, posted);
            receiver.unexpected.erase(found);
        }
        receiver.posted.push_back(posted);
    }

    void wait_for(int rank, int id, const std::string& status_text) {
        const std::string request = "request=q" + std::to_string(id);
        say(rank, "MPI_Wait(" + request + status_text + ")", next_id_++);
        step(rank, Kind::Wait, id);
    }

    void wait_for_one(int rank) {
        Process& waiting = process(rank);
        for (auto posted = waiting.posted.begin(); posted != waiting.posted.end(); ++posted) {
            if (!posted->met) continue;
            wait_for(rank, posted->id, ", status=" + status(*posted));
            waiting.posted.erase(posted);
            return;
        }
        if (waiting.open_sends.empty()) return;
        wait_for(rank, waiting.open_sends.back(), "");
        waiting.open_sends.pop_back();
    }

    void barrier() {
        const int id = next_id_++;
        for (int rank = 0; rank < run_.processes; ++rank) {
            say(rank, "MPI_Barrier()", id);
            step(rank, Kind::Barrier, id);
        }
    }

    void finish() {
        for (int rank = 0; rank < run_.processes; ++rank) {
            for (std::size_t at = 0; at < process(rank).posted.size(); ++at) {
                const Posted posted = process(rank).posted[at];
                if (posted.met) continue;
                send(posted.source == kAny ? pick(0, run_.processes - 1) : posted.source,
                     rank,
                     posted.tag == kAny ? 0 : posted.tag,
                     pick(0, 1) == 0);
            }
        }
        for (int rank = 0; rank < run_.processes; ++rank) {
            while (!process(rank).unexpected.empty())
                receive_what_is_there(rank);
            while (!process(rank).posted.empty() || !process(rank).open_sends.empty())
                wait_for_one(rank);
        }
        run_.statements += "*: MPI_Finalize()\n";
    }

    std::mt19937 random_;
    RandomRun run_;
    std::vector<Process> processes_;
    int next_id_ = 1;
};

}  // namespace

RandomRun make_random_run(std::uint32_t seed) {
    return Library(seed).make();
}

bool RandomRun::gets_stuck() const {
    std::map<int, int> partner;
    for (const auto& [send, receive] : pairs) {
        partner[send] = receive;
        partner[receive] = send;
    }
    std::vector<std::size_t> at(steps.size());
    std::set<int> started;  ///< places of sends and receives
    std::map<int, std::set<std::size_t>> in_barrier;
    bool moved = true;
    while (moved) {
        moved = false;
        for (std::size_t process = 0; process < steps.size(); ++process) {
            if (at[process] == steps[process].size()) continue;
            const Step& step = steps[process][at[process]];
            bool over = true;
            if (step.kind == Kind::Barrier) {
                in_barrier[step.id].insert(process);
                over = in_barrier[step.id].size() == steps.size();
            } else {
                if (step.kind != Kind::Wait) started.insert(step.id);
                if (step.kind != Kind::Isend && step.kind != Kind::Irecv) {
                    over = started.count(partner.at(step.id)) != 0;
                }
            }
            if (!over) continue;
            ++at[process];
            moved = true;
        }
    }
    for (std::size_t process = 0; process < steps.size(); ++process)
        if (at[process] < steps[process].size()) return true;
    return false;
}

}  // namespace mqinspect::test
