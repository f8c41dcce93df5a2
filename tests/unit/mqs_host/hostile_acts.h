/* What no debugger DLL has any business to do. */
#ifndef HOSTILE_ACTS_H
#define HOSTILE_ACTS_H

/* Tries each act and prints a line for it: "WHEN ACT: refused", or "done". Nothing is
 * damaged by an act that succeeds, except that `word`, an int in the parent process, is
 * set to -1 by each of those that write there. */
void attempt_everything(const char* when, int* word);

#endif
