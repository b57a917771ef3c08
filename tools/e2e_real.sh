#!/usr/bin/env bash
# Compares the real vLLM and llama.cpp on this machine's CPU with one spec and the same weights, and checks what came out: every
# request good, tokens counted by usage, both engines known by version and gone afterwards.
#   tools/e2e_real.sh [RUN_FOLDER]   (default: a new one under build/)
# The engines (2.3 GB to fetch, 5.5 GB on disk, 6 to 15 minutes once) go to $EVENBENCH_ENGINES, by default build/engines, and are used
# again from there. EVENBENCH_BIN takes a built program instead of building one. Needs 6 GiB of memory and x86-64 with AVX2.
set -euo pipefail
cd "$(dirname "$0")/.."
say() { echo "[e2e-real] $*" >&2; }

engines=${EVENBENCH_ENGINES:-build/engines}
spec=examples/vllm-vs-llama-cpp-cpu.yaml
mkdir -p build "$engines"
out=${1:-$(mktemp -d build/real-run-XXXXXX)/run}

say "engines in $engines"
tools/engines/vllm_cpu.sh "$engines/vllm" smollm2 >/dev/null
tools/engines/llama_cpp.sh "$engines/llama_cpp" server >/dev/null
bf16=$engines/llama_cpp/smollm2-bf16.gguf
tools/engines/hf_to_gguf.sh "$engines/llama_cpp" "$engines/vllm/venv/bin/python" "$engines/vllm/models/smollm2" "$bf16" >&2

evenbench=${EVENBENCH_BIN:-build/release/evenbench}
[ -n "${EVENBENCH_BIN:-}" ] || ./dev build >&2

if [ "$engines" != build/engines ]; then
  moved=$(mktemp --suffix=.yaml)
  trap 'rm -f "$moved"' EXIT
  sed "s#build/engines#$engines#" "$spec" > "$moved"
  spec=$moved
fi

started=$(date +%s.%N)
code=0
"$evenbench" run "$spec" --out "$out" || code=$?
# 4: a step that may not be published from, such as a client that got no processor time on a busy machine. The figures are then
# labelled so; that the requests were good is checked all the same.
[ "$code" = 0 ] || [ "$code" = 4 ] || say "evenbench ended with exit code $code"
python3 tests/real/check_run.py "$out" --systems vllm,llama.cpp --engines "$engines" --started "$started"
[ "$code" = 0 ] || [ "$code" = 4 ] || exit "$code"
say "$SECONDS s; the report is $out/report.html"
