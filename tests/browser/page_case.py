"""What the tests of pages share: one browser for all, a page for each test."""

import argparse
import pathlib
import subprocess
import sys
import tempfile
import unittest

from webdriver import Browser


class PageCase(unittest.TestCase):
    options = None
    browser = None
    folder = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.browser = cls.enterClassContext(Browser(cls.options.chromedriver))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def show(self, text):
        """Opens the page that the program makes of the text."""
        page = pathlib.Path(self.folder.name) / f"{self.id()}.html"
        with page.open("wb") as file:
            subprocess.run([self.options.print_page], input=text.encode(), stdout=file, check=True,
                           timeout=60)
        self.browser.open(page)

    def tearDown(self):
        self.assertEqual(self.browser.console(), [])

    def count(self, selector):
        return self.browser.run("return document.querySelectorAll(arguments[0]).length", selector)

    def text(self, selector):
        return self.browser.run("return document.querySelector(arguments[0]).textContent", selector)


def main(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--chromedriver", required=True)
    parser.add_argument("--print-page", required=True)
    PageCase.options, rest = parser.parse_known_args()
    if not pathlib.Path(PageCase.options.chromedriver).is_file():
        print("no chromedriver: run scripts/setup --tests")
        sys.exit(77)
    unittest.main(argv=[sys.argv[0], *rest])
