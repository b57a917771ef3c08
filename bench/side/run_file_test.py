import unittest

from side.run_file import decode_token_events


class TokenBlob(unittest.TestCase):
    def test_the_example_of_the_document_is_read_as_it_says(self):
        blob = bytes.fromhex("01030e80897ad00fff28c0b802e8070300")
        self.assertEqual(decode_token_events(blob), [(1_000_000, 999_000, False), (1_020_000, 1_019_500, True),
                                                     (1_020_000, None, True)])

    def test_an_unknown_coding_and_bytes_left_over_are_refused(self):
        for wrong in ("0200", "010000"):
            with self.assertRaises(ValueError):
                decode_token_events(bytes.fromhex(wrong))


if __name__ == "__main__":
    unittest.main()
