#!/usr/bin/env python3
"""Time, randomness, environment, printing and threads enter from outside: refuses direct use of them in src/ unless the line
carries a waiver `// lint-ok(kind): reason`."""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[2]
forbidden = re.compile(r"::now\(|\bsleep_(for|until)|\busleep\(|\bnanosleep\(|random_device|\brand\(|\bgetenv\(|std::cout|"
                       r"\bprintf\(|clock_gettime\(|std::j?thread\(")
printing = re.compile(r"std::cout|\bprintf\(")
faults, waivers = [], 0
for file in sorted((root / "src").rglob("*")):
    if file.suffix not in (".cc", ".h"):
        continue
    for number, text in enumerate(file.read_text().splitlines(), 1):
        code = text.split("//")[0]
        if not forbidden.search(code):
            continue
        if "/cli/" in str(file) and printing.search(code):
            continue
        if re.search(r"// lint-ok\([a-z-]+\): \S", text):
            waivers += 1
        else:
            faults.append(f"{file.relative_to(root)}:{number}: {text.strip()}")
print("\n".join(faults) or f"outside: clean, {waivers} waivers")
sys.exit(bool(faults))
