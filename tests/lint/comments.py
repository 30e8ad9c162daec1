#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The check of comments finds each kind of name that nothing has, at its line, and no other."""
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools/lint"))
import comments

CODE = """
typedef struct abc_item { int n_left; } abc_item;
TD_VEC(abc_item, abc_item_vec);
#define ABC_MOST_ITEMS 3
int abc_take(abc_item *from, int count);
"""
PATHS = ["src/abc/take.c", "src/abc/abc.h", "src/other/far.c", "tests/unit/test_abc.c", "docs/parts.md", "tools/lint/run.py"]


def problems(*comment, path="src/abc/abc.h", code=CODE):
    """{line: what is wrong} for a file with the code and then the comment's lines."""
    text = code + "/* " + "\n * ".join(comment) + " */\n"
    tree = comments.Tree({path: text, "src/other/far.c": "static int far_away, lonely;"}, {"x.py": "made_here = 1"}, PATHS)
    first = code.count("\n")
    return {line - first: problem for line, problem in tree.unknown(path)}


class Comments(unittest.TestCase):
    def good(self, *comment, **more):
        self.assertEqual(problems(*comment, **more), {})

    def bad(self, line, what, *comment, **more):
        found = problems(*comment, **more)
        self.assertEqual(list(found), [line])
        self.assertIn(what, found[line])

    def test_files(self):
        self.good("See take.c, abc/take.c, src/abc/*.c, docs/parts.md, tools/lint/run.py and <foo.h>.")
        self.bad(1, "the file gone.c", "See gone.c.")
        self.bad(2, "the file other/take.c", "Items are taken", "in other/take.c.")
        self.bad(1, "the file abc/x*.c", "See abc/x*.c.")

    def test_file_without_folder_is_near(self):
        self.bad(1, "the file test_abc.c", "See test_abc.c.")
        self.good("See test_abc.c.", path="tests/unit/test_far.c")
        self.good("See take.c.", path="tests/unit/test_far.c")

    def test_examples_and_names_of_others(self):
        self.good("As in bank.c:7, x.c or SOURCE.c; \"gone.c\" and \"GONE_AWAY\" are of others, so is std::gone_away.")

    def test_functions(self):
        self.good("Calls abc_take() and lonely(), then abc_item_vec_push.")
        self.bad(1, "abc_give()", "Calls abc_give().")
        self.bad(1, "nothere()", "Calls nothere().")
        self.bad(3, "abc_give,", "Takes", "an item, which", "abc_give, too, does.")
        self.bad(1, "abc_thing_vec_push", "Calls abc_thing_vec_push.")

    def test_constants(self):
        self.good("At most ABC_MOST_ITEMS; see ABC_*, and ABC_MOST_ITEMSs are none, but made_here is.")
        self.bad(1, "ABC_LEAST_ITEMS", "At least ABC_LEAST_ITEMS.")
        self.bad(1, "ABD_*", "One of ABD_*.")

    def test_parameters(self):
        self.good("Takes `count` items `from` there, by `abc_take` or `far_away`.")
        self.bad(1, "`number`", "Takes `number` items.")
        self.bad(1, "`lonely`", "Takes `lonely` items: only another file has that.")

    def test_members(self):
        self.good("Lowers abc_item.n_left, and abc_item->n_left.")
        self.bad(1, "abc_item.left_over", "Lowers abc_item.left_over.")
        self.bad(1, "nothing is called surplus", "Lowers abc_item.surplus.")

    def test_only_comments(self):
        self.good("Nothing.", code=CODE + 'const char *text = "/* gone.c */ gone_away()"; char c = \'"\'; /* abc_take */\n')
        self.assertIn(1, problems("Nothing.", "gone_away", code="// abc_gone\n") | {1: ""})


if __name__ == "__main__":
    unittest.main()
