/// What the fixture DLL reads in its target: this test program itself.
#pragma once

extern "C" {

struct FixtureState {
    int size;
    int operations;
};

extern FixtureState fixture_state;
extern int fixture_moves;
void fixture_breakpoint();
}
