#!/usr/bin/env python3
"""The page of findings in headless Chromium: loads, filters, unfolds, works with a keyboard.

Usage: findings_page_test.py --chromedriver PROGRAM --print-page PROGRAM
"""

from page_case import PageCase, main

ENTER = "\ue007"
HOSTILE = "</script><script>alert(1)</script><img/src/onerror>"

# A wrong type, a message that nobody receives, a leak, a name that is markup.
ERRORS = f"""4
communicator row parent=MPI_COMM_WORLD constructor={HOSTILE} members=[0,1]
*: MPI_Init() @a.c:8
0: MPI_Send(dest=1, count=3, datatype=MPI_FLOAT, tag=7) @a.c:12
1: MPI_Recv(source=0, count=3, datatype=MPI_INT, tag=7) @a.c:14
2: MPI_Send(dest=3, tag=5) @a.c:20
*: MPI_Finalize() @a.c:30
"""
CLEAN = "2\n*: MPI_Init() @a.c:8\n*: MPI_Finalize() @a.c:30\n"


def many(count):
    """A message that nobody receives on each of many lines."""
    sends = [f"0: MPI_Send(dest=1, tag={i}) @a.c:{i + 10}" for i in range(count)]
    return "\n".join(["2", "*: MPI_Init()", *sends, "*: MPI_Finalize()"]) + "\n"


class FindingsPage(PageCase):
    def shown(self):
        return self.count(".finding:not([hidden])")

    def test_lists_findings_with_calls_and_source(self):
        self.show(ERRORS)
        self.assertIn("in the run of 4 processes", self.text("h1"))
        self.assertGreaterEqual(self.shown(), 2)
        first = self.text("#finding-1")
        self.assertIn("wrong data type", first)
        self.assertIn("MPI_Recv", first)
        self.assertIn("MPI_FLOAT", first)
        self.assertGreater(self.count("#finding-1 .excerpt .here"), 0)
        self.assertIn("MPI_Send", self.text("#functions"))
        self.assertEqual(self.count("#processes tbody tr:not(.spacer)"), 4)

    def test_text_of_the_run_is_no_markup(self):
        self.show(ERRORS)
        self.assertEqual(self.count("img"), 0)
        self.assertIn("onerror", self.text("#communicators"))

    def test_filters_by_class_rank_and_words(self):
        self.show(ERRORS)
        everything = self.shown()
        self.browser.type("#filter-class", "wrong data type")
        self.assertEqual(self.shown(), 1)
        self.browser.click("#filter-clear")
        self.assertEqual(self.shown(), everything)
        self.browser.type("#filter-ranks", "2-3")
        self.assertIn("rank", self.text(".finding:not([hidden])"))
        self.assertLess(self.shown(), everything)
        self.browser.click("#filter-clear")
        self.browser.type("#filter-words", "no such words")
        self.assertEqual(self.shown(), 0)
        self.assertIn("0 of", self.text("#finding-count"))

    def test_tiles_filter_by_severity(self):
        self.show(ERRORS)
        self.browser.click("[data-severity=error]")
        self.assertEqual(self.shown(), self.count(".finding.error"))

    def test_unfolds_and_folds_all(self):
        self.show(many(20))
        self.assertEqual(self.count(".finding[open]"), 0)
        self.browser.click("#unfold")
        self.assertEqual(self.count(".finding[open]"), self.shown())
        self.assertGreater(self.count(".call"), 0)
        self.browser.click("#fold")
        self.assertEqual(self.count(".finding[open]"), 0)

    def test_goes_through_findings_with_the_keyboard(self):
        self.show(many(20))
        self.browser.press("n", "n")
        self.assertEqual(
            self.browser.run("return document.activeElement.parentElement.id"), "finding-2")
        self.browser.press(ENTER)
        self.assertEqual(self.count("#finding-2[open]"), 1)
        self.browser.press("/")
        self.assertEqual(self.browser.run("return document.activeElement.id"), "filter-words")

    def test_changes_the_theme(self):
        self.show(ERRORS)
        colors = set()
        for _ in range(3):
            self.browser.click("#theme")
            colors.add(self.browser.run("return getComputedStyle(document.body).backgroundColor"))
        self.assertEqual(len(colors), 2)

    def test_of_a_clean_run_says_so(self):
        self.show(CLEAN)
        self.assertIn("No errors found", self.text("h1"))
        self.assertEqual(self.shown(), 0)

    def test_is_printed_unfolded(self):
        self.show(many(20))
        self.browser.run("dispatchEvent(new Event('beforeprint'))")
        self.assertEqual(self.count(".finding[open]"), self.shown())
        self.browser.run("dispatchEvent(new Event('afterprint'))")
        self.assertEqual(self.count(".finding[open]"), 0)


if __name__ == "__main__":
    main(__doc__)
