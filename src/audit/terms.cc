#include "audit/terms.h"

#include <array>

namespace evenbench::audit {
namespace {

using enum Weight;

constexpr std::string_view kSameFolder =
    "give every system the same model folder, or files converted from it";

constexpr std::array kTerms{
    // The three sames.
    Term{"weights_hash", "weights", kDecide, true, kSameFolder},
    Term{"model_revision", "model revision", kReserve, false, "pin one revision for every system"},
    Term{"dtype", "dtype", kDecide, true, "set model.dtype, so that every engine is told the same"},
    Term{"quantization", "quantization", kDecide, true,
         "use weights of one quantization, or none, for every system"},
    Term{"kv_cache_dtype", "KV cache dtype", kDecide, false,
         "set the KV cache dtype by each engine's own flag (vLLM, SGLang and TGI --kv-cache-dtype, "
         "TensorRT-LLM --kv_cache_dtype, llama.cpp -ctk and -ctv)"},
    Term{"host", "machine", kDecide, true, "run every system on the same machine"},
    Term{"gpu", "GPUs", kDecide, false, "set hardware.gpus, so that every system uses the same"},
    Term{"tensor_parallel", "tensor parallelism", kReserve, false,
         "split the model over the same number of GPUs"},
    Term{"driver", "GPU driver", kReserve, false, "measure all systems under one driver"},
    Term{"power_limit", "GPU power limit", kReserve, false,
         "set one power limit for all visits (nvidia-smi -pl)"},
    Term{"clocks", "GPU clocks", kReserve, false,
         "lock the clocks for all visits (nvidia-smi -lgc)"},
    // What a request is, in tokens.
    Term{"tokenizer_hash", "tokenizer", kDecide, false,
         "pass the same tokenizer path to every engine that takes one"},
    Term{"token_counts", "token counts of the probe texts", kDecide, false,
         "the engines count tokens differently: check tokenizer and special tokens"},
    Term{"chat_template_hash", "chat template", kReserve, false,
         "use one chat template, or request: { api: completions }"},
    Term{"truncation", "prompts over the limit", kReserve, false,
         "switch silent truncation off, or keep prompts under every limit"},
    Term{"ignore_eos", "end of sequence", kReserve, false,
         "compare at natural ends (request.ignore_eos off), and mind the lengths of the answers"},
    // What the engine may do.
    Term{"max_model_len", "longest context", kReserve, false,
         "set one limit (vLLM --max-model-len, TensorRT-LLM --max_seq_len, TGI --max-total-tokens, "
         "SGLang --context-length, llama.cpp -c)"},
    Term{"prefix_cache", "prefix cache", kReserve, false,
         "switch it off everywhere, or on everywhere"},
    Term{"chunked_prefill", "chunked prefill", kReserve, false,
         "switch it on everywhere, or off everywhere (TensorRT-LLM has it off by default)"},
    Term{"max_running", "requests running at once", kReserve, false,
         "set one limit (vLLM --max-num-seqs, TensorRT-LLM --max_batch_size, TGI "
         "--max-batch-size, SGLang --max-running-requests, llama.cpp -np), or tune each engine"},
    Term{"speculative", "speculative decoding", kReserve, false,
         "switch it off everywhere, or say that it is part of what is compared"},
    Term{"stream_interval", "tokens sent together", kReserve, false,
         "set one stream interval: gaps between tokens differ by it alone"},
    // What a token is drawn with: what requests state, else the server's own default.
    Term{"temperature", "temperature", kReserve, false, "set request.temperature"},
    Term{"top_p", "top_p", kReserve, false, "set request.top_p"},
    Term{"top_k", "top_k", kReserve, false,
         "let no engine take sampling defaults from generation_config.json (vLLM "
         "--generation-config vllm)"},
    Term{"repetition_penalty", "repetition penalty", kReserve, false,
         "let no engine take sampling defaults from generation_config.json (vLLM "
         "--generation-config vllm)"},
    // Each engine's own.
    Term{"concurrent_limit", "requests taken at once", kNote, false, ""},
    Term{"max_queued", "queue limit", kNote, false, ""},
    Term{"prefill_budget", "tokens in one prefill", kNote, false, ""},
    Term{"sampling_defaults", "source of sampling defaults", kNote, false, ""},
    Term{"memory_setting", "memory setting", kNote, false, ""},
    Term{"kv_cache_tokens", "KV cache (tokens)", kNote, false, ""},
    Term{"engine_version", "engine version", kNote, false, ""},
    Term{"engine_commit", "engine commit", kNote, false, ""},
    Term{"image_digest", "image digest", kNote, false, ""},
    Term{"converter", "weights converted by", kNote, false, ""},
};

}  // namespace

std::span<const Term> terms() {
  return kTerms;
}

}  // namespace evenbench::audit
