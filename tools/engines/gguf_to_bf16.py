#!/usr/bin/env python3
"""Rewrite a quantized GGUF file with its matrices as bfloat16: the values that gguf_to_hf.py gives a Hugging Face folder, so that
llama-server and an engine that reads such a folder compute with the same weights.
   gguf_to_bf16.py FILE.gguf OUT.gguf"""
import os, sys
import gguf
import numpy as np
from gguf import GGMLQuantizationType as Type

src, out = sys.argv[1], sys.argv[2]
reader = gguf.GGUFReader(src)
skipped = {'general.architecture', 'general.file_type', 'general.quantization_version'}
writer = gguf.GGUFWriter(out + '.part', reader.fields['general.architecture'].contents())
for field in reader.fields.values():
    if field.name in skipped or field.name.startswith('GGUF.'):
        continue
    kind = field.types[0]
    item = field.types[-1] if kind == gguf.GGUFValueType.ARRAY else None
    writer.add_key_value(field.name, field.contents(), kind, item)
writer.add_file_type(gguf.LlamaFileType.MOSTLY_BF16)
for tensor in reader.tensors:
    exact = gguf.dequantize(tensor.data, tensor.tensor_type).astype(np.float32)
    rounded = gguf.quantize(exact, Type.BF16)
    if len(tensor.shape) > 1:
        writer.add_tensor(tensor.name, rounded, raw_dtype=Type.BF16)
    else:  # llama.cpp wants its norms in float32: rounded to bfloat16 all the same
        writer.add_tensor(tensor.name, gguf.dequantize(rounded, Type.BF16).astype(np.float32))
writer.write_header_to_file()
writer.write_kv_data_to_file()
writer.write_tensors_to_file()
writer.close()
os.replace(out + '.part', out)
