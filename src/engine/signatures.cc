#include "engine/signatures.h"

#include <array>

namespace evenbench::engine {
namespace {

struct Signature {
  std::string_view complaint, remedy;
};

constexpr std::string_view kAnotherPort =
    "its port is taken: stop what listens there, or give the system another port";
constexpr std::string_view kMemory =
    "the GPU has too little free memory: end what else uses it (nvidia-smi shows it), lower the "
    "engine's memory share, or use a smaller model";
constexpr std::string_view kModelPath =
    "the model was not found: check model.path, and the access token if it is to be downloaded";
constexpr std::string_view kArguments =
    "it does not know one of its arguments: compare args with the engine's own --help";
constexpr std::string_view kDriver =
    "it finds no usable NVIDIA driver: check nvidia-smi, and that this build fits the driver";

// Causes before consequences: the first that is found wins. The engines' own words.
constexpr std::array kSignatures{
    Signature{"Address already in use", kAnotherPort},
    Signature{"address already in use", kAnotherPort},
    Signature{"couldn't bind to server socket", kAnotherPort},
    Signature{"less than desired GPU memory utilization", kMemory},
    Signature{"No available memory for the cache blocks", kMemory},
    Signature{"out of memory", kMemory},
    Signature{"OutOfMemoryError", kMemory},
    Signature{"maximum number of tokens that can be stored in KV cache",
              "its KV cache is smaller than one whole context: lower the maximal model length, or "
              "give it more memory"},
    Signature{"KV cache is needed, which is larger than the available KV cache memory",
              "its KV cache is smaller than one whole context: lower the maximal model length, or "
              "give it more memory"},
    Signature{"is not a local folder and is not a valid model identifier", kModelPath},
    Signature{"Repo id must be in the form", kModelPath},
    Signature{"RepositoryNotFoundError", kModelPath},
    Signature{"GatedRepoError", kModelPath},
    Signature{"failed to open GGUF file", kModelPath},
    Signature{"error loading model", kModelPath},
    Signature{"unrecognized arguments", kArguments},
    Signature{"ambiguous option", kArguments},
    Signature{"error: invalid argument", kArguments},
    Signature{"No such option", kArguments},
    Signature{"CUDA driver version is insufficient", kDriver},
    Signature{"NVIDIA driver on your system is too old", kDriver},
    Signature{"Found no NVIDIA driver", kDriver},
    Signature{"libcuda.so.1: cannot open shared object file", kDriver},
    Signature{"no kernel image is available",
              "this build has no code for this GPU: use a build "
              "for its architecture"},
    Signature{"No module named",
              "its Python installation is incomplete: install the module that "
              "is named, or start it from its own environment"},
    Signature{"No space left on device", "a disk is full: free space, also in /dev/shm and /tmp"},
};

}  // namespace

std::string_view remedy_for(std::string_view log) {
  for (const Signature& signature : kSignatures)
    if (log.find(signature.complaint) != std::string_view::npos) return signature.remedy;
  return "";
}

}  // namespace evenbench::engine
