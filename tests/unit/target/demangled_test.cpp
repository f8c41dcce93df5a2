// Functions are named as their programmers know them.
#include "inspector/target/demangled.h"

#include <string>

#include <gtest/gtest.h>

namespace mqinspect::target {
namespace {

TEST(Demangled, NamesAreWithoutParameters) {
    EXPECT_EQ("sc::MPIMessageGrp::init",
              demangled("_ZN2sc13MPIMessageGrp4initEP19ompi_communicator_tPiPPPc"));
    EXPECT_EQ("(anonymous namespace)::exchange", demangled("_ZN12_GLOBAL__N_18exchangeEi"));
    EXPECT_EQ("Halo::size", demangled("_ZNK4Halo4sizeEv"));
    EXPECT_EQ("Halo::operator()", demangled("_ZN4HaloclEi"));
    EXPECT_EQ("void send<int>", demangled("_Z4sendIiEvPKT_"));
    EXPECT_EQ("apply", demangled("_Z5applyPFivE"));
    EXPECT_EQ("exchange", demangled("_Z8exchangei.cold"));
    EXPECT_EQ("main::{lambda(int)#1}::operator()", demangled("_ZZ4mainENKUliE_clEi"));
}

TEST(Demangled, OtherNamesStayAsTheyAre) {
    for (const char* name : {"main", "mpi_send_", "MPI_Send", "", "_Z", "_Znonsense", "f.part.0"})
        EXPECT_EQ(name, demangled(name));
    const std::string endless = "_Z" + std::string(100'000, 'N');
    EXPECT_EQ(endless, demangled(endless));
}

}  // namespace
}  // namespace mqinspect::target
