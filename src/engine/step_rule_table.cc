#include <array>

#include "engine/step_rules.h"

namespace evenbench::engine {
namespace {

using enum wire::ErrorClass;

constexpr auto kAnswer = Ending::kHttpError;
constexpr std::nullopt_t kAny = std::nullopt;

constexpr std::array kRules{
    StepRule{"server_overloaded", "tgi", kAnswer, kOverloaded, "",
             "It takes so many requests at once and refuses the rest: raise "
             "--max-concurrent-requests (128 unless stated) to a fifth above the planned "
             "concurrency, or lower the load"},
    StepRule{"server_overloaded", "vllm", kAnswer, kOverloaded, "",
             "Its queue is full: raise --max-num-queued-reqs or --max-num-queued-tokens, let more "
             "run at once with --max-num-seqs, or lower the load"},
    StepRule{"server_overloaded", "sglang", kAnswer, kOverloaded, "",
             "Its queue is full: raise --max-queued-requests, let more run at once with "
             "--max-running-requests, or lower the load"},
    StepRule{"server_overloaded", "llama_cpp", kAnswer, kOverloaded, "",
             "All its slots are taken: raise -np, and -c with it, or lower the load"},
    StepRule{"server_overloaded", "", kAnswer, kOverloaded, "",
             "It takes no more: raise the server's limit of requests, running or queued, or lower "
             "the load"},
    StepRule{"key_throttled", "", kAnswer, kThrottled, "",
             "The key may send so much per time: lower the load, or have its limit raised; what "
             "this step shows is that limit, not the engine's"},

    StepRule{"prompt_too_long", "trtllm", kAnswer, kTooLong, "max_num_tokens",
             "A prompt must fit into one pass: raise --max_num_tokens, or split prompts with "
             "--enable_chunked_prefill"},
    StepRule{"prompt_too_long", "trtllm", kAnswer, kTooLong, "",
             "Raise --max_seq_len, or ask for less (workload.lengths)"},
    StepRule{"prompt_too_long", "vllm", kAnswer, kTooLong, "",
             "Raise --max-model-len, or ask for less (workload.lengths)"},
    StepRule{"prompt_too_long", "tgi", kAnswer, kTooLong, "",
             "Raise --max-input-tokens, and --max-total-tokens with it, or ask for less "
             "(workload.lengths)"},
    StepRule{"prompt_too_long", "sglang", kAnswer, kTooLong, "",
             "Raise --context-length, or ask for less (workload.lengths)"},
    StepRule{"prompt_too_long", "llama_cpp", kAnswer, kTooLong, "",
             "Raise -c, which all slots share, or lower -np, or ask for less (workload.lengths)"},
    StepRule{"prompt_too_long", "", kAnswer, kTooLong, "",
             "Raise the server's length limit, or ask for less (workload.lengths)"},

    StepRule{"key_refused_at_times", "", kAnswer, kKeyRefused, "",
             "The key was refused here and taken there: some gateways do that under load with a "
             "valid key; if it grows, renew the key"},
    StepRule{"permission_refused", "", kAnswer, kPermission, "",
             "Permission was refused for these and not for others: have it looked at by the "
             "provider"},
    StepRule{"quota_refused", "", kAnswer, kQuota, "",
             "Money or allowance was refused for these: top the account up at the provider"},
    StepRule{"unknown_model", "", kAnswer, kUnknownModel, "",
             "The model was there before the load: the server, or one of several behind its "
             "address, has it no longer"},
    StepRule{"request_refused", "", kAnswer, kUnsupportedField, "",
             "Take the field out of the request, or name it in request.allow_dropping"},
    StepRule{"request_refused", "", kAnswer, kBadRequest, "",
             "The server cannot take what these requests hold: its words say what"},
    StepRule{"engine_fault", "tgi", kAnswer, kProviderFault, "Connection refused",
             "The router has lost its shard: the launcher's log says why, by 'Shard' lines"},
    StepRule{"server_stopping", "vllm", kAnswer, kProviderFault, "after shutdown",
             "It was told to stop (SIGTERM) and takes nothing new, though its /health says 200 "
             "until the last answer is over: see who stops it, and start it again"},
    StepRule{"engine_fault", "", kAnswer, kProviderFault, "",
             "The server, or what stands behind it, failed: its own log says why"},
    StepRule{"answer_not_understood", "", kAnswer, kOther, "",
             "The server answered an error that this program does not know: its own log says why"},

    StepRule{"empty_answers", "llama_cpp", Ending::kEmpty, kAny, "",
             "A proper answer without a token is a failure, not a fast answer: the prompt may not "
             "fit into a slot (-c divided by -np), or the model ended at once"},
    StepRule{"empty_answers", "vllm", Ending::kEmpty, kAny, "",
             "A proper answer without a token is a failure, not a fast answer: the prompt may "
             "exceed --max-model-len in an old version, or the chat template makes the model end "
             "at once"},
    StepRule{"empty_answers", "", Ending::kEmpty, kAny, "",
             "A proper answer without a token is a failure, not a fast answer: the prompt may not "
             "fit, or the chat template makes the model end at once"},
    StepRule{"connections_broken", "trtllm", Ending::kReset, kAny, "",
             "When a request fails inside a stream, this engine only closes the connection: the "
             "cause is in its log; memory is a usual one "
             "(--kv_cache_free_gpu_memory_fraction, --max_batch_size)"},
    StepRule{"connections_broken", "", Ending::kReset, kAny, "",
             "The server, or something on the way to it, closed the connection before the answer "
             "was whole: the server's log tells whether it ended"},
    StepRule{"connections_refused", "", Ending::kConnectFailed, kAny, "",
             "No connection came about: the server ended, or takes connections too slowly"},
    StepRule{"broken_streams", "", Ending::kBadStream, kAny, "",
             "The stream broke the protocol: something on the way may have cut or changed it"},
    StepRule{"time_limit_passed", "", Ending::kTimedOut, kAny, "",
             "A limit of the spec passed (limits): raise it if such waits are to be measured"},
};

}  // namespace

std::span<const StepRule> step_rules() {
  return kRules;
}

}  // namespace evenbench::engine
