/* Of a constructor nothing is known, as the file that has it was not looked at.
   requested: MPI_THREAD_FUNNELED
   required: MPI_THREAD_FUNNELED
   verdict: compliant, as far as the notes tell */

/* file: grid.h */
#include <string>

class Grid {
public:
    explicit Grid(int size);
    Grid(const Grid& other);
    virtual ~Grid();
    double sum() const;
    std::string name() const;

private:
    int size_;
};

template <class Number>
struct Box {
    explicit Box(Number number);
    Number get() const;
    Number number;
};
extern template struct Box<int>;

template <class Number>
Number twice(Number number);

/* file: grid.cc */
#include "grid.h"

#include <mpi.h>

#include <sstream>

Grid::Grid(const Grid& other) : size_(other.size_) {}
Grid::~Grid() = default;

double Grid::sum() const {
    double sum = 0.0;
    MPI_Allreduce(&size_, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

std::string Grid::name() const {
    std::ostringstream name;
    name << "grid " << size_;
    return name.str();
}

template <class Number>
Box<Number>::Box(Number number) : number(number) {}

template <class Number>
Number Box<Number>::get() const {
    return number;
}

template struct Box<int>;

template <class Number>
Number twice(Number number) {
    return number + number;
}

template int twice<int>(int);

/* file: main.cc */
#include "grid.h"

#include <mpi.h>

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    if (provided < MPI_THREAD_FUNNELED) MPI_Abort(MPI_COMM_WORLD, 1);
    const Grid grid(10);
    const Grid copy(grid);
    const Box<int> box(twice(3));
    double sum = 0.0;
#pragma omp parallel
    {
#pragma omp master
        sum = grid.sum();
    }
    sum += static_cast<double>(copy.name().size()) + box.get();
    MPI_Finalize();
    return sum > 0.0 ? 0 : 1;
}
