/// A library of the user's between a program and MPI.
#pragma once

/// Receives an int from `source`, through a few functions of the library.
int exchange_receive(int source);
