#!/usr/bin/env python3
"""validate_summary.py SUMMARY...: says whether each file is strict JSON that keeps to docs/summary.schema.json. Needs Debian's
python3-jsonschema. Exit code 1 when one does not."""
import json
import pathlib
import sys

import jsonschema

SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "docs/summary.schema.json"


def refuse(word):
    raise ValueError(f"{word} is no JSON")


def faults_of(path, validator):
    try:
        summary = json.loads(pathlib.Path(path).read_text(encoding="utf-8"), parse_constant=refuse)
    except (OSError, ValueError) as error:
        return [str(error)]
    return [f"{'/'.join(map(str, e.absolute_path)) or '(top)'}: {e.message}" for e in validator.iter_errors(summary)]


def main(paths):
    if not paths:
        sys.exit(__doc__)
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    bad = False
    for path in paths:
        faults = faults_of(path, validator)
        bad = bad or bool(faults)
        print(f"{path}: {'keeps to the schema' if not faults else 'does not keep to the schema'}")
        for fault in faults:
            print(f"  {fault}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
