#!/usr/bin/env bash
# A GGUF file from a model folder by llama.cpp's own converter, so that llama-server and an engine that reads folders serve the
# same weights in the same number type.
#   hf_to_gguf.sh LLAMA_CPP_DIR PYTHON FOLDER OUT [TYPE]
#   LLAMA_CPP_DIR  where llama_cpp.sh put llama-server and its converter
#   PYTHON         one with torch, transformers and numpy: that of vllm_cpu.sh serves (DIR/venv/bin/python)
#   TYPE           bf16 (default), f16, f32, q8_0 ...
# Prints what goes into a spec: converted_from and converter. An OUT that is there is left as it is.
set -euo pipefail
dir=${1:?usage: hf_to_gguf.sh LLAMA_CPP_DIR PYTHON FOLDER OUT [TYPE]}; python=${2:?PYTHON}; folder=${3:?FOLDER}; out=${4:?OUT}; type=${5:-bf16}
if [ ! -s "$out" ]; then
  "$python" "$dir/convert/convert_hf_to_gguf.py" "$folder" --outtype "$type" --outfile "$out.part" >"$out.log" 2>&1 ||
    { tail -20 "$out.log" >&2; exit 1; }
  mv "$out.part" "$out"
fi
echo "converted_from: $folder"
echo "converter: convert_hf_to_gguf.py of llama.cpp $("$dir/bin/llama-server" --version 2>&1 | sed -n 's/^version: .*build \([0-9]*\).*/b\1/p')"
