#!/usr/bin/env python3
"""The compiler plugin: its arguments, its notes, and that no construct hides a call."""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

PLUGIN = os.environ["MQI_THREAD_LEVEL_PLUGIN"]
MPICH = os.environ["MQI_MPICH"]
PROGRAMS = Path(__file__).resolve().parent / "programs"
COMPILERS = {
    ".c": [os.environ["MQI_CC"]],
    ".cc": [os.environ["MQI_CXX"], "-std=c++20"],
    ".f90": [os.environ.get("MQI_FC", "gfortran")],
}
DIAGNOSTIC = re.compile(r"^([^:\n]+):(\d+):\d+: +(?:Warning|warning|note|error).*\[-W(mpi-[a-z-]+)\]$",
                        re.MULTILINE)


def argument(text):
    return f"-fplugin-arg-mpi_thread_level-{text}"


def compile_program(source, flags, folder, *arguments):
    """Returns what the compiler says."""
    source = Path(source)
    command = [*COMPILERS[source.suffix], "-fopenmp", f"-I{MPICH}/include", *flags,
               "-fdiagnostics-plain-output", f"-fplugin={PLUGIN}", *map(argument, arguments)]
    if source.suffix == ".f90":
        command += ["-J", folder]
    if "-o" not in flags:
        command += ["-c", "-o", os.path.join(folder, "out.o")]
    return subprocess.run([*command, str(source)], capture_output=True, text=True, timeout=120,
                          check=False)


class Constructs(unittest.TestCase):
    def test_nothing_is_swallowed_behind_any_construct(self):
        for name in ("all_constructs.c", "all_constructs.cc", "all_constructs.f90"):
            source = PROGRAMS / name
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                result = compile_program(source, ["-O1", "-w"], folder, "summary")
                self.assertEqual(0, result.returncode, result.stderr)
                text = source.read_text(encoding="utf-8").splitlines()
                seen = {int(n) for n in re.findall(r":(\d+) +.* MPI_Barrier ", result.stderr)}
                calls = {n for n, line in enumerate(text, 1)
                         if re.search(r"\bCALL\(\)|MPI_Barrier", line) and "define" not in line}
                self.assertEqual(set(), calls - seen)
                self.assertIn("required MPI_THREAD_MULTIPLE", result.stderr)

    def test_what_gcc_throws_away_is_not_missed(self):
        # GCC collects its memory at each chance, that of functions which nobody calls, too.
        collect = ["--param=ggc-min-expand=0", "--param=ggc-min-heapsize=0"]
        text = ("static int unused(int x) { return x; }\n"
                "static void unused_too(void) { MPI_Barrier(MPI_COMM_WORLD); unused(1); }\n"
                "void used(void) { MPI_Barrier(MPI_COMM_WORLD); }\n")
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "unused.c"
            source.write_text("typedef int MPI_Comm;\n#define MPI_COMM_WORLD 0x44000000\n"
                              "int MPI_Barrier(MPI_Comm);\n" + text, encoding="utf-8")
            result = compile_program(source, ["-O2", *collect], folder, "summary")
        self.assertEqual(0, result.returncode, result.stderr)
        self.assertIn("required MPI_THREAD_SINGLE", result.stderr)


class Arguments(unittest.TestCase):
    """The plugin's own options, and GCC's for warnings."""

    def compile(self, name, flags, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            return compile_program(PROGRAMS / name, flags, folder, *arguments)

    def options(self, *arguments, flags=(), name="coll_funneled_error.c"):
        result = self.compile(name, list(flags), *arguments)
        return [option for _, _, option in DIAGNOSTIC.findall(result.stderr)]

    def test_level_replaces_what_the_unit_asks_for(self):
        self.assertEqual([], self.options("level=serialized"))
        self.assertEqual(["mpi-thread-level"], self.options("level=MPI_THREAD_FUNNELED"))
        self.assertIn("mpi-thread-level", self.options("level=single"))

    def test_warnings_are_switched_off(self):
        self.assertEqual([], self.options("quiet"))
        self.assertEqual([], self.options("ignore=mpi-thread-level"))
        self.assertEqual([], self.options(flags=["-Wno-mpi-thread-level"]))
        self.assertEqual([], self.options(flags=["-w"]))

    def test_warnings_become_errors(self):
        result = self.compile("coll_funneled_error.c", ["-Werror"])
        self.assertNotEqual(0, result.returncode)
        self.assertIn("[-Werror=mpi-thread-level]", result.stderr)
        self.assertNotEqual(0, self.compile("coll_deadlock_error.c", [], "errors").returncode)
        self.assertEqual(0, self.compile("coll_deadlock_error.c", []).returncode)

    def test_what_libraries_do_inside_is_left_out(self):
        for flags in (["-O0"], ["-O2"]):
            with self.subTest(flags):
                said = self.compile("container_threads_error.cc", flags).stderr
                self.assertNotIn("/usr/include", said)
                self.assertRegex(said, r"container_threads_error.cc:21:\d+: note: a thread that runs "
                                 "'work' is started here")

    def test_strict_single_makes_a_warning_of_the_note(self):
        for suffix in (".c", ".f90"):
            with self.subTest(suffix):
                error = "strict_single_error" + suffix
                self.assertRegex(self.compile(error, []).stderr, "(?i)note: a parallel region")
                strict = self.compile(error, [], "strict-single").stderr
                self.assertRegex(strict, "(?i)warning: a parallel region")
                self.assertEqual("", self.compile("strict_single_ok" + suffix, [], "strict-single").stderr)

    def test_what_may_be_a_lock_of_another_file_fails_no_build(self):
        self.assertEqual(0, self.compile("presumed_lock_ok.c", ["-Werror"]).returncode)
        said = self.compile("presumed_lock_error.c", []).stderr
        self.assertEqual(3, said.count("warning: "), said)

    def test_unknown_argument_is_one_line(self):
        result = self.compile("coll_single_ok.c", [], "levle=single")
        self.assertNotEqual(0, result.returncode)
        self.assertIn("unknown argument", result.stderr)
        self.assertEqual(1, len(result.stderr.splitlines()), result.stderr)

    def test_directives_that_are_ignored_are_told_of_once(self):
        result = self.compile("coll_single_error.c", ["-fno-openmp"])
        self.assertEqual(1, result.stderr.count("ignored without"), result.stderr)

    def test_directives_in_text_are_none(self):
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "plain.c"
            source.write_text("#include <mpi.h>\nint main(void) { return MPI_Barrier(0x44000000); }\n"
                              "const char* s = \"#pragma omp parallel\";\n", encoding="utf-8")
            result = compile_program(source, ["-fno-openmp"], folder)
        self.assertEqual("", result.stderr)


class Notes(unittest.TestCase):
    """The facts that are left in what the compiler makes."""

    def sections(self, path):
        return subprocess.run(["readelf", "-SW", path], capture_output=True, text=True,
                              check=True).stdout

    def test_objects_and_executables_have_notes(self):
        for flags in ([], ["-flto"]):
            with self.subTest(flags), tempfile.TemporaryDirectory() as folder:
                program = os.path.join(folder, "program")
                source = PROGRAMS / "coll_serialized_ok.c"
                result = subprocess.run(
                    [f"{MPICH}/bin/mpicc", "-fopenmp", *flags, f"-fplugin={PLUGIN}", "-o", program,
                     str(source)], capture_output=True, text=True, check=False)
                self.assertEqual(0, result.returncode, result.stderr)
                self.assertIn(".mpi_thread_level", self.sections(program))
                subprocess.run(["strip", program], check=True)
                self.assertIn(".mpi_thread_level", self.sections(program))

    def test_numbers_that_other_units_may_request_are_kept(self):
        mpi = "int MPI_Init_thread(int *, char ***, int, int *);\n"
        wanted = {"int wanted = 1;\n": "variable wanted .*constant=1",
                  "extern int wanted;\nvoid set(int n) { wanted = n; }\n":
                      "variable wanted .*writes=1$"}
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "config.c"
            for text, expected in wanted.items():
                source.write_text(mpi + text + "int many = 7;\n", encoding="utf-8")
                facts = compile_program(source, ["-O2"], folder, "dump").stderr
                self.assertRegex(facts, re.compile(expected, re.MULTILINE))
                self.assertNotIn("many", facts)
                source.write_text(text, encoding="utf-8")  # knows no levels
                facts = compile_program(source, ["-O2"], folder, "dump").stderr
                self.assertNotIn("wanted", facts)

    def test_threads_of_unknown_functions_are_noted(self):
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "unknown.cc"
            source.write_text("#include <thread>\nint main() {\n"
                              "    auto same = [](auto number) { return number; };\n"
                              "    std::thread(same, 1).join();\n"
                              "    std::thread(same, 1.0).join();\n}\n", encoding="utf-8")
            facts = compile_program(source, ["-O2"], folder, "dump").stderr
        self.assertIn("start-thread a function object that can't be told", facts)

    def test_functions_of_libraries_are_none_whose_address_matters(self):
        with tempfile.TemporaryDirectory() as folder:
            facts = compile_program(PROGRAMS / "once_ok.cc", [], folder, "dump").stderr
        self.assertIn("function main", facts)
        self.assertNotIn("\ntaken ", facts)

    def test_checks_stay_where_other_files_may_lead(self):
        mpi = "#include <mpi.h>\n"
        hook = ("#include <functional>\nvoid add(std::function<void()> hook);\n"
                "int main() { add([] { MPI_Barrier(MPI_COMM_WORLD); }); }\n")
        helper = "static void send() { MPI_Barrier(MPI_COMM_WORLD); }\n"
        for name, text, expected in (
                ("hook.cc", mpi + hook, True),
                ("api.c", mpi + helper + "void api(void) { send(); }\n", True),
                ("main.c", mpi + helper + "int main(void) { send(); }\n", False)):
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                source = Path(folder) / name
                source.write_text(text, encoding="utf-8")
                compile_program(source, [], folder, "check")
                symbols = subprocess.run(["nm", os.path.join(folder, "out.o")], check=True,
                                         capture_output=True, text=True).stdout
                self.assertEqual(expected, "mpi_thread_level_call" in symbols, symbols)

    def test_no_notes_leaves_none(self):
        with tempfile.TemporaryDirectory() as folder:
            compile_program(PROGRAMS / "coll_single_ok.c", [], folder, "no-notes")
            self.assertNotIn(".mpi_thread_level", self.sections(os.path.join(folder, "out.o")))


if __name__ == "__main__":
    unittest.main()
