#!/usr/bin/env python3
"""Refuses an #include that the table in docs/rooms.md does not allow. The table is read from that page, so the two cannot differ."""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[2]
table = {}
for line in (root / "docs/rooms.md").read_text().splitlines():
    row = re.match(r"\| `(\w+)` \|.*\| ([^|]*) \|$", line)
    if row:
        table[row[1]] = set(re.findall(r"`(\w+)`", row[2]))
if "base" not in table:
    sys.exit("docs/rooms.md has no table of rooms")
table["cli"] = set(table)

faults = []
for file in sorted((root / "src").rglob("*")):
    if file.suffix not in (".cc", ".h"):
        continue
    room = file.relative_to(root / "src").parts[0]
    if room not in table:
        faults.append(f"{file.relative_to(root)}: room '{room}' is not in docs/rooms.md")
        continue
    for number, text in enumerate(file.read_text().splitlines(), 1):
        include = re.match(r'#include "(\w+)/', text)
        if include and include[1] != room and include[1] not in table[room]:
            faults.append(f"{file.relative_to(root)}:{number}: room '{room}' may not include '{include[1]}' (docs/rooms.md)")
print("\n".join(faults) or f"rooms: {len(table)} rooms, every include allowed")
sys.exit(bool(faults))
