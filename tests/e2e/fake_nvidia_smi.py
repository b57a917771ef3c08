#!/usr/bin/env python3
"""An `nvidia-smi` for the tests: one card, whose memory in use in MiB stands in the file FAKE_SMI_USED. It does not know the newer name
of the throttle reasons, as programs before 2024."""
import os
import pathlib
import sys

KNOWN = {"index": "0", "uuid": "GPU-smi", "name": "NVIDIA A100-SXM4-80GB", "driver_version": "535.104", "memory.total": "81920",
         "memory.reserved": "615", "power.limit": "400.00", "clocks.max.sm": "1410", "clocks.max.memory": "1593",
         "compute_cap": "8.0", "ecc.mode.current": "Enabled", "ecc.errors.uncorrected.volatile.total": "0",
         "mig.mode.current": "[N/A]", "persistence_mode": "Enabled", "utilization.gpu": "88", "utilization.memory": "[N/A]",
         "power.draw": "251.30", "temperature.gpu": "54", "clocks.sm": "1395", "clocks.mem": "1593",
         "clocks_throttle_reasons.active": "0x0000000000000004"}

question, fields = sys.argv[1].split("=", 1)
if question == "--query-compute-apps":
    sys.exit(0)
KNOWN["memory.used"] = pathlib.Path(os.environ["FAKE_SMI_USED"]).read_text().strip()
for field in fields.split(","):
    if field not in KNOWN:
        sys.exit(f'Field "{field}" is not a valid field to query.')
print(", ".join(KNOWN[field] for field in fields.split(",")))
