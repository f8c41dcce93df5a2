#!/usr/bin/env python3
"""The HTML page in headless Chromium: loads, filters, folds, works with a keyboard.

Usage: page_test.py --chromedriver PROGRAM --print-page PROGRAM
"""

import base64

from page_case import PageCase, main

ENTER, DOWN, LEFT, RIGHT = "\ue007", "\ue015", "\ue012", "\ue014"
HOSTILE = r"</script><script>document.title='taken'</script><img src=x onerror=alert(1)>'\"\x1b\xff"


def ring(size, unexpected):
    """Rank 0 to 2 in a cycle, one victim, the others in a barrier."""
    lines = ['job launcher "mpiexec.hydra, pid 4711" mpi "MPICH 4.0.2, ch3:nemesis"',
             'problem "' + HOSTILE + '"', 'communicator 0 "MPI_COMM_WORLD"',
             'communicator 1 "' + HOSTILE + '"']
    for rank in range(size):
        if rank < 3:
            lines += [f"rank {rank} blocked MPI_Recv source {(rank + 1) % 3} tag 7 comm 0 "
                      f"at /nowhere/ring.c:14",
                      f"rank {rank} frame MPID_Progress image /usr/lib/libmpi.so",
                      f"rank {rank} frame MPI_Recv image /usr/lib/libmpi.so",
                      f"rank {rank} frame exchange at /nowhere/ring.c:14 image /nowhere/ring",
                      f"rank {rank} frame main at /nowhere/ring.c:30 image /nowhere/ring"]
        else:
            lines += [f"rank {rank} blocked MPI_Barrier comm 0 at /nowhere/ring.c:20",
                      f"rank {rank} frame MPI_Barrier image /usr/lib/libmpi.so",
                      f'rank {rank} frame "{HOSTILE}" at /nowhere/ring.c:20 image /nowhere/ring',
                      f"rank {rank} frame main at /nowhere/ring.c:31 image /nowhere/ring"]
        lines += [f"rank {rank} unexpected source {(rank + i) % size} tag {i} bytes {i * 8}"
                  for i in range(unexpected)]
    return "\n".join(lines) + "\n"


def any_source(size):
    """Receivers from any rank, each at a line of its own."""
    lines = []
    for rank in range(size):
        lines += [f"rank {rank} blocked MPI_Recv source any tag 7 comm 0 at any.c:{rank + 1}",
                  f"rank {rank} posted any_source tag 7 own"]
    return "\n".join(lines) + "\n"


class Page(PageCase):
    def first_cells(self, table):
        return self.browser.run(
            "return [...document.querySelectorAll(`[data-table=${arguments[0]}] tbody tr:not("
            ".spacer)`)].map((row) => row.cells[0].textContent)", table)

    def test_shows_the_verdict_and_the_graph(self):
        self.show(ring(4, 1))
        self.assertEqual(self.text(".kind"), "Deadlock")
        self.assertIn("0-2 wait for each other", self.text("h1"))
        self.assertEqual(self.count("#graph .node.core"), 3)
        self.assertEqual(self.count("#graph .node.victim"), 1)
        self.assertEqual(self.count("#graph .edge.core"), 3)

    def test_names_of_the_target_stay_text(self):
        self.show(ring(4, 1))
        self.assertNotEqual(self.browser.run("return document.title"), "taken")
        self.assertEqual(self.count("img"), 0)
        self.assertEqual(self.count("script"), 2)
        self.assertIn("</script>", self.text("[data-table=communicators] tbody"))
        self.assertIn("\\x1b\\xff", self.text("#problems"))

    def test_filters(self):
        self.show(ring(8, 3))
        self.browser.type("[aria-label='Filter: Rank']", "0-1,5")
        self.assertEqual(self.first_cells("ranks"), ["0", "1", "5"])
        self.assertEqual(self.text("[data-table=ranks] .status span"), "3 of 8 rows")
        self.browser.click("[data-table=ranks] .status button")
        self.assertEqual(len(self.first_cells("ranks")), 8)
        self.browser.type("#queues [aria-label='Filter: Bytes']", ">8")
        self.assertEqual(len(self.first_cells("operations")), 8)
        self.browser.type("#queues [aria-label='Filter: Tag']", "7")
        self.assertEqual(self.first_cells("operations"), ["Nothing matches."])

    def test_sorts(self):
        self.show(ring(12, 0))
        self.browser.click("[data-table=ranks] th button")
        self.browser.click("[data-table=ranks] th button")
        self.assertEqual(self.first_cells("ranks")[:3], ["11", "10", "9"])

    def test_tiles_filter_ranks(self):
        self.show(ring(8, 0))
        self.browser.click(".tiles .core")
        self.assertEqual(self.first_cells("ranks"), ["0", "1", "2"])

    def test_a_hundred_thousand_operations_stay_usable(self):
        self.show(ring(2000, 50))
        self.assertIn("100,000 rows", self.text("#queues .status span"))
        self.assertLess(self.count("#queues tr"), 200)
        milliseconds = self.browser.run(
            "const start = performance.now();"
            "const input = document.querySelector(`#queues [aria-label='Filter: Rank']`);"
            "input.value = '1999'; input.dispatchEvent(new Event('input'));"
            "return performance.now() - start;")
        self.assertEqual(set(self.first_cells("operations")), {"1999"})
        self.assertLess(milliseconds, 3000)
        self.browser.run("document.querySelector('#queues .scroll').scrollTop = 300")

    def test_scrolls_to_the_last_row(self):
        self.show(ring(2000, 2))
        self.browser.run("const box = document.querySelector('#ranks .scroll');"
                         "box.scrollTop = box.scrollHeight;"
                         "box.dispatchEvent(new Event('scroll'))")
        self.assertEqual(self.first_cells("ranks")[-1], "1999")

    def test_stacks_fold_by_keyboard(self):
        self.show(ring(4, 0))
        self.browser.run("document.querySelector('#stack-tree [role=treeitem]').focus()")
        state = "return document.activeElement.getAttribute('aria-expanded')"
        self.assertEqual(self.browser.run(state), "true")
        self.browser.press(LEFT)
        self.assertEqual(self.browser.run(state), "false")
        self.browser.press(RIGHT)
        self.assertEqual(self.browser.run(state), "true")
        self.browser.press(DOWN)
        self.assertIn("rank 3", self.browser.run("return document.activeElement.textContent"))

    def test_frames_inside_of_mpi_are_shown_on_request(self):
        self.show(ring(4, 0))
        self.assertNotIn("MPID_Progress", self.text("#stack-tree"))
        self.browser.click("#inside-mpi")
        self.assertIn("MPID_Progress", self.text("#stack-tree"))

    def test_nodes_are_selected_by_keyboard(self):
        self.show(ring(4, 0))
        self.browser.run("document.querySelector('.node.core').focus()")
        self.browser.press(ENTER)
        self.assertIn("rank 0 (core)", self.text("#selection"))
        self.assertEqual(self.count("svg.focused .edge.near"), 3)

    def test_alternatives_that_many_have_are_drawn_once(self):
        self.show(any_source(5))
        self.assertEqual(self.count("#graph .joint.core"), 1)
        self.assertEqual(self.text("#graph .joint text"), "any of ranks 0-4")
        self.assertEqual(self.count("#graph .edge"), 10)
        self.browser.run("document.querySelector('.node').focus()")
        # What the node waits for, and what waits for it, lies behind the joint.
        self.assertEqual(self.count("svg.focused .node.near"), 5)

    def test_a_large_graph_starts_readable(self):
        scale = ("const svg = document.getElementById('graph');"
                 "return svg.clientWidth / svg.viewBox.baseVal.width")
        self.show(any_source(60))
        self.assertGreaterEqual(self.browser.run(scale), 0.59)
        self.browser.click("[data-zoom=fit]")
        self.assertLess(self.browser.run(scale), 0.5)

    def test_follows_the_theme_and_the_switch(self):
        self.show(ring(4, 0))
        color = "return getComputedStyle(document.body).backgroundColor"
        self.browser.emulate(prefers_color_scheme="light")
        light = self.browser.run(color)
        self.browser.emulate(prefers_color_scheme="dark")
        dark = self.browser.run(color)
        self.assertNotEqual(light, dark)
        self.browser.click("#theme")
        self.assertEqual(self.browser.run(color), light)
        self.browser.click("#theme")
        self.assertEqual(self.browser.run(color), dark)

    def test_says_why_source_is_missing(self):
        self.show(ring(4, 0))
        self.assertIn("cannot be read here", self.text("#source-list"))

    def test_prints(self):
        self.show(ring(4, 1))
        self.assertTrue(base64.b64decode(self.browser.print()).startswith(b"%PDF"))


if __name__ == "__main__":
    main(__doc__)
