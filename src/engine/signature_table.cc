#include <array>

#include "engine/signatures.h"

namespace evenbench::engine {
namespace {

constexpr std::array kComplaints{
    Complaint{"port_taken", "", "Address already in use"},
    Complaint{"port_taken", "", "address already in use"},
    Complaint{"port_taken", "trtllm", "Failed to bind socket to"},
    Complaint{"port_taken", "llama_cpp", "couldn't bind HTTP server socket"},
    Complaint{"port_taken", "llama_cpp", "couldn't bind to server socket"},

    Complaint{"driver_too_old", "", "CUDA driver version is insufficient"},
    Complaint{"driver_too_old", "", "NVIDIA driver on your system is too old"},
    Complaint{"no_driver", "", "Found no NVIDIA driver"},
    Complaint{"no_driver", "", "libcuda.so.1: cannot open shared object file"},
    Complaint{"too_few_gpus", "tgi", "NotEnoughCUDADevices"},
    Complaint{"card_unsupported", "", "no kernel image is available"},

    Complaint{"gated_model", "", "GatedRepoError"},
    Complaint{"gated_model", "", "You are trying to access a gated repo"},
    Complaint{"model_not_found", "", "is not a local folder and is not a valid model identifier"},
    Complaint{"model_not_found", "", "Repo id must be in the form"},
    Complaint{"model_not_found", "", "RepositoryNotFoundError"},
    Complaint{"model_not_found", "llama_cpp", "failed to open GGUF file"},
    Complaint{"unsupported_model", "", "are not supported for now"},
    Complaint{"unsupported_model", "llama_cpp", "unknown model architecture"},
    Complaint{"unsupported_dtype", "",
              "Bfloat16 is only supported on GPUs with compute capability"},
    Complaint{"unsupported_operator", "", "NotImplementedError: Could not run 'aten::"},
    Complaint{"unsupported_operator", "", "No importer registered for op"},

    Complaint{"memory_held", "vllm", "less than desired GPU memory utilization"},
    Complaint{"context_too_long", "vllm",
              "KV cache is needed, which is larger than the available KV cache memory"},
    Complaint{"context_too_long", "vllm",
              "maximum number of tokens that can be stored in KV cache"},
    Complaint{"context_too_long", "tgi", "Not enough memory to handle `max_total_tokens="},
    Complaint{"context_too_long", "llama_cpp", "failed to allocate buffer for kv cache"},
    Complaint{"prefill_too_large", "tgi", "prefill tokens. You need to decrease"},
    Complaint{"no_room_for_kv", "vllm", "No available memory for the cache blocks"},
    Complaint{"no_room_for_kv", "sglang", "Please try to increase --mem-fraction-static"},
    Complaint{"out_of_memory", "trtllm", "insufficient GPU memory"},
    Complaint{"out_of_memory", "", "out of memory"},
    Complaint{"out_of_memory", "", "OutOfMemoryError"},
    Complaint{"out_of_memory", "llama_cpp", "unable to allocate CUDA"},
    Complaint{"host_memory", "tgi", "was signaled to shutdown with signal 9"},
    Complaint{"host_memory", "", "std::bad_alloc"},
    Complaint{"disk_full", "", "No space left on device"},

    Complaint{"bad_argument", "", "unrecognized arguments"},
    Complaint{"bad_argument", "", "ambiguous option"},
    Complaint{"bad_argument", "", "error: invalid argument"},
    Complaint{"bad_argument", "", "No such option"},
    Complaint{"bad_argument", "tgi", "error: unexpected argument"},
    Complaint{"bad_argument", "tgi", "ArgumentValidation"},
    Complaint{"module_missing", "", "No module named"},

    // What follows from something that stands above it.
    Complaint{"broken_model", "llama_cpp", "error loading model"},
    Complaint{"cause_above", "vllm", "EngineCore failed to start"},
    Complaint{"cause_above", "vllm", "Engine core initialization failed"},
    Complaint{"cause_above", "vllm", "WorkerProc failed to start"},
    Complaint{"cause_above", "vllm", "EngineCore encountered a fatal"},
    // Without a word of its own before: it was ended from outside.
    Complaint{"host_memory", "vllm", "engine core exited unexpectedly"},
    Complaint{"cause_above", "vllm", "EngineCore encountered"},
    Complaint{"cause_above", "trtllm", "Failed to initialize executor"},
    Complaint{"cause_above", "trtllm", "Executor worker returned error"},
    Complaint{"cause_above", "tgi", "ShardCannotStart"},
    Complaint{"cause_above", "tgi", "ShardFailed"},
    Complaint{"cause_above", "tgi", "ShardDisconnected"},
    Complaint{"cause_above", "tgi", "DownloadError"},
    Complaint{"cause_above", "tgi", "WebserverFailed"},
};

constexpr std::array kRemedies{
    LogRemedy{"port_taken", "",
              "its port is taken: stop what listens there, or give the system another port"},
    LogRemedy{"driver_too_old", "",
              "the NVIDIA driver is older than this build of the engine needs: update the driver, "
              "or use an image or build made for the CUDA version that nvidia-smi shows"},
    LogRemedy{"no_driver", "",
              "it finds no NVIDIA driver: check nvidia-smi; in a container, that docker has the "
              "NVIDIA runtime"},
    LogRemedy{"too_few_gpus", "tgi",
              "it is to use more GPUs than it sees: lower --num-shard, or list more in "
              "hardware.gpus"},
    LogRemedy{"card_unsupported", "",
              "this build has no code for this GPU: use a build for its architecture"},
    LogRemedy{"gated_model", "",
              "the model is given only to those who accepted its terms: accept them where it is "
              "hosted, and put an access token into the variable HF_TOKEN"},
    LogRemedy{"model_not_found", "",
              "the model was not found: check model.path, and the access token (HF_TOKEN) if it is "
              "to be downloaded"},
    LogRemedy{"unsupported_model", "",
              "this version of the engine does not know the model's architecture: use a newer "
              "version, or another model"},
    LogRemedy{"unsupported_dtype", "",
              "the GPU cannot compute with bfloat16: state model.dtype: float16 (--dtype), for all "
              "systems alike"},
    LogRemedy{"unsupported_operator", "",
              "the model needs an operator that this build has not for this device: use a newer "
              "version, another backend of the engine, or another number type"},

    LogRemedy{"memory_held", "vllm",
              "somebody else holds memory of the GPU: end them (nvidia-smi shows them; an engine "
              "that was killed may have left workers), or lower --gpu-memory-utilization"},
    LogRemedy{"context_too_long", "vllm",
              "the KV cache holds less than one whole context: lower --max-model-len, or raise "
              "--gpu-memory-utilization"},
    LogRemedy{"context_too_long", "tgi",
              "the KV cache holds less than one whole request: lower --max-total-tokens, or raise "
              "--cuda-memory-fraction"},
    LogRemedy{"context_too_long", "llama_cpp",
              "there is no room for the KV cache of all slots: lower -c (context, shared by the "
              "slots) or -np (slots), or put fewer layers on the GPU with -ngl"},
    LogRemedy{"prefill_too_large", "tgi",
              "the warm-up's prefill does not fit: lower --max-batch-prefill-tokens, or "
              "--max-input-tokens with it"},
    LogRemedy{"no_room_for_kv", "vllm",
              "the weights leave no memory for the KV cache: raise --gpu-memory-utilization, "
              "spread the model with --tensor-parallel-size, or use a smaller one"},
    LogRemedy{"no_room_for_kv", "sglang",
              "the weights leave no memory for the KV cache: raise --mem-fraction-static, spread "
              "the model with --tp-size, or use a smaller one"},
    LogRemedy{"out_of_memory", "vllm",
              "the GPU has too little free memory: lower --gpu-memory-utilization, --max-model-len "
              "or --max-num-seqs, end what else uses the GPU (nvidia-smi shows it), or use a "
              "smaller model"},
    LogRemedy{"out_of_memory", "trtllm",
              "the GPU has too little free memory: lower --kv_cache_free_gpu_memory_fraction, "
              "--max_batch_size or --max_num_tokens, end what else uses the GPU (nvidia-smi shows "
              "it), or use a smaller model"},
    LogRemedy{"out_of_memory", "tgi",
              "the GPU has too little free memory: lower --cuda-memory-fraction, "
              "--max-batch-prefill-tokens or --max-total-tokens, end what else uses the GPU "
              "(nvidia-smi shows it), or use a smaller model"},
    LogRemedy{"out_of_memory", "sglang",
              "the GPU has too little free memory: lower --mem-fraction-static, "
              "--chunked-prefill-size or --max-running-requests, end what else uses the GPU "
              "(nvidia-smi shows it), or use a smaller model"},
    LogRemedy{"out_of_memory", "llama_cpp",
              "the GPU has too little free memory: put fewer layers on it with -ngl, lower -c or "
              "-np, end what else uses it (nvidia-smi shows it), or use a smaller model"},
    LogRemedy{"out_of_memory", "",
              "the GPU has too little free memory: end what else uses it (nvidia-smi shows it), "
              "lower the engine's memory share, or use a smaller model"},
    LogRemedy{"host_memory", "",
              "it was killed or found no memory of the host: most often the kernel ends what takes "
              "too much (dmesg tells); free memory, raise the container's limit, or use a smaller "
              "model"},
    LogRemedy{"disk_full", "", "a disk is full: free space, also in /dev/shm and /tmp"},
    LogRemedy{"disk_full", "tgi",
              "a disk is full: free space, also in /tmp; in a container, /dev/shm is as large as "
              "docker's --shm-size says"},
    LogRemedy{"bad_argument", "",
              "it does not know one of its arguments: compare args with the engine's own --help"},
    LogRemedy{"module_missing", "",
              "its Python installation is incomplete: install the module that is named, or start "
              "it from its own environment"},
    LogRemedy{"broken_model", "llama_cpp",
              "the model file could not be loaded: check model_path, and that the file is whole"},
    LogRemedy{"cause_above", "",
              "this is only the consequence: the cause is the first error further up in its log"},
};

}  // namespace

std::span<const Complaint> complaints() {
  return kComplaints;
}

std::span<const LogRemedy> log_remedies() {
  return kRemedies;
}

}  // namespace evenbench::engine
