import unittest

from side import tables

ROW = {"streams": 8, "case": "alone", "client": "normal priority", "reads": 100, "pairs": 90, "pairs_alone": 80,
       "gap_p50_ms": 4.79, "gap_p99_ms": 11.86}


class Engine(unittest.TestCase):
    def cells(self, **row):
        """Those of the one row, by the head of their column; of two columns of one name the first."""
        head, _, line = [[cell.strip() for cell in line.split("|")[1:-1]]
                         for line in tables.engine({"engine": [{**ROW, **row}]}).splitlines()]
        return dict(reversed(list(zip(head, line))))

    def test_a_round_that_printed_gaps_shows_them(self):
        cells = self.cells(gaps=80)
        self.assertEqual((cells["gaps printed"], cells["gap p50, ms"], cells["p99"]), ("80", "4.79", "11.86"))

    def test_where_most_rounds_printed_no_gap_none_is_shown(self):
        cells = self.cells(gaps=0)
        self.assertEqual((cells["gaps printed"], cells["gap p50, ms"], cells["p99"]), ("0", "", ""))
        self.assertEqual(cells["pairs read alone"], "80")


if __name__ == "__main__":
    unittest.main()
