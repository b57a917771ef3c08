// Stands for the driver's library in tests. The file that EVENBENCH_FAKE_NVML names is read again
// at every call, so that a test can change what the GPUs say while the program runs. Its lines:
//
//   init <code>                    what nvmlInit_v2 returns; 9 = driver not loaded
//   device <total> <reserved> <idle> <name ...>     one GPU, of these bytes
//   unsupported <function>         returns 3, not supported
//   holds <gpu> <pid> <bytes>      while that process lives
//   engine <gpu> <bytes> <more> <after ms> <text>   every living process whose command line holds
//                                  the text; `more` instead of `bytes` once that time has passed
//   leaks <gpu> <bytes> <text>     from when such a process was first seen until the end of time
//   nameless                       no process is listed, as in a container
//
// Sizes in bytes. Written from the documented interface, see src/probe/nvml_api.h.
#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

constexpr int kSuccess = 0;
constexpr int kInvalid = 2;
constexpr int kNotSupported = 3;
constexpr int kTooSmall = 7;
constexpr int kVersion = 25;

struct Held {
  int gpu = 0;
  unsigned int pid = 0;
  unsigned long long bytes = 0;
};

struct Gpu {
  unsigned long long total = 0, reserved = 0, idle = 0, leaked = 0;
  std::string name;
};

struct World {
  int init = kSuccess;
  bool nameless = false;
  std::vector<Gpu> gpus;
  std::vector<Held> held;
  std::set<std::string> unsupported;
};

std::string contents(const std::string& file) {
  const std::ifstream in(file, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();  // a process that has just ended gives an error, which is no exception here
  return std::move(out).str();
}

bool lives(unsigned int pid) {
  const std::string stat = contents("/proc/" + std::to_string(pid) + "/stat");
  const auto end = stat.rfind(')');
  return end != std::string::npos && stat[end + 2] != 'Z' && stat[end + 2] != 'X';
}

// Engines, not the warden that has the engine's command line among its own words.
std::vector<unsigned int> find_processes_with(const std::string& text) {
  std::vector<unsigned int> out;
  DIR* proc = ::opendir("/proc");
  while (const dirent* entry = ::readdir(proc)) {
    const auto pid = static_cast<unsigned int>(std::atoi(entry->d_name));
    if (pid == 0) continue;
    std::string command = contents("/proc/" + std::to_string(pid) + "/cmdline");
    std::replace(command.begin(), command.end(), '\0', ' ');
    if (command.find(text) != std::string::npos && command.find("__warden") == std::string::npos)
      out.push_back(pid);
  }
  ::closedir(proc);
  return out;
}

// A sample asks many functions at once: one look at the machine's processes serves them all.
std::vector<unsigned int> processes_with(const std::string& text) {
  struct Found {
    std::chrono::steady_clock::time_point at;
    std::vector<unsigned int> pids;
  };
  static std::map<std::string, Found> cache;
  const auto now = std::chrono::steady_clock::now();
  const auto known = cache.find(text);
  if (known == cache.end() || now - known->second.at > std::chrono::milliseconds(20))
    cache[text] = {now, find_processes_with(text)};
  std::vector<unsigned int> out;
  for (const unsigned int pid : cache[text].pids)
    if (lives(pid)) out.push_back(pid);
  return out;
}

std::string rest_of(std::istringstream& line) {
  std::string out;
  std::getline(line >> std::ws, out);
  return out;
}

std::mutex state_mutex;
std::map<unsigned int, std::chrono::steady_clock::time_point> first_seen;
std::set<std::string> leaking;

void read_engine(std::istringstream& line, World& world) {
  Held held;
  unsigned long long more = 0;
  long after_ms = 0;
  line >> held.gpu >> held.bytes >> more >> after_ms;
  const auto now = std::chrono::steady_clock::now();
  for (const unsigned int pid : processes_with(rest_of(line))) {
    const auto since = first_seen.emplace(pid, now).first->second;
    const bool late = now - since >= std::chrono::milliseconds(after_ms);
    world.held.push_back({held.gpu, pid, late ? more : held.bytes});
  }
}

void read_leak(std::istringstream& line, World& world) {
  std::size_t gpu = 0;
  unsigned long long bytes = 0;
  line >> gpu >> bytes;
  const std::string text = rest_of(line);
  if (!processes_with(text).empty()) leaking.insert(text);
  if (leaking.contains(text) && gpu < world.gpus.size()) world.gpus[gpu].leaked += bytes;
}

World look() {
  const std::lock_guard lock(state_mutex);
  World world;
  const char* file = std::getenv("EVENBENCH_FAKE_NVML");
  std::istringstream text(contents(file == nullptr ? "" : file));
  for (std::string whole; std::getline(text, whole);) {
    std::istringstream line(whole);
    std::string word;
    line >> word;
    if (word == "init") line >> world.init;
    if (word == "nameless") world.nameless = true;
    if (word == "unsupported") world.unsupported.insert(rest_of(line));
    if (word == "engine") read_engine(line, world);
    if (word == "leaks") read_leak(line, world);
    if (word == "device") {
      Gpu gpu;
      line >> gpu.total >> gpu.reserved >> gpu.idle;
      gpu.name = rest_of(line);
      world.gpus.push_back(gpu);
    }
    if (word == "holds") {
      Held held;
      line >> held.gpu >> held.pid >> held.bytes;
      if (lives(held.pid)) world.held.push_back(held);
    }
  }
  return world;
}

std::size_t index_of(void* device) {
  return reinterpret_cast<std::size_t>(device) - 1;
}

unsigned long long used(const World& world, std::size_t gpu) {
  unsigned long long bytes = world.gpus[gpu].idle + world.gpus[gpu].leaked;
  for (const Held& held : world.held)
    if (held.gpu == static_cast<int>(gpu)) bytes += held.bytes;
  return bytes;
}

int copy(const std::string& text, char* to, unsigned int size) {
  if (text.size() >= size) return kTooSmall;
  std::memcpy(to, text.c_str(), text.size() + 1);
  return kSuccess;
}

template <typename Answer>
int answer(const char* function, void* device, Answer&& give) {
  const World world = look();
  if (index_of(device) >= world.gpus.size()) return kInvalid;
  if (world.unsupported.contains(function)) return kNotSupported;
  return give(world, index_of(device));
}

template <typename Value, typename Given>
int give(const char* function, void* device, Value* value, Given given) {
  return answer(function, device, [&](const World&, std::size_t) {
    *value = static_cast<Value>(given);
    return kSuccess;
  });
}

template <typename Process>
int list(const char* function, void* device, unsigned int* count, Process* processes) {
  return answer(function, device, [&](const World& world, std::size_t gpu) {
    std::vector<Process> found;
    for (const Held& held : world.held) {
      if (held.gpu != static_cast<int>(gpu) || world.nameless) continue;
      Process process{};
      process.pid = held.pid;
      process.used = held.bytes;
      found.push_back(process);
    }
    const auto room = *count;
    *count = static_cast<unsigned int>(found.size());
    if (found.size() > room) return kTooSmall;
    std::copy(found.begin(), found.end(), processes);
    return kSuccess;
  });
}

}  // namespace

extern "C" {

struct FakeMemory {
  unsigned long long total, free, used;
};
struct FakeMemory2 {
  unsigned int version;
  unsigned long long total, reserved, free, used;
};
struct FakeProcess1 {
  unsigned int pid;
  unsigned long long used;
};
struct FakeProcess2 {
  unsigned int pid;
  unsigned long long used;
  unsigned int gpu_instance, compute_instance;
};

int nvmlInit_v2() {
  return look().init;
}
int nvmlShutdown() {
  return kSuccess;
}
const char* nvmlErrorString(int code) {
  return code == 9 ? "Driver Not Loaded" : "Unknown Error";
}
int nvmlSystemGetDriverVersion(char* to, unsigned int size) {
  return copy("580.65.06", to, size);
}
int nvmlDeviceGetCount_v2(unsigned int* count) {
  *count = static_cast<unsigned int>(look().gpus.size());
  return kSuccess;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned int index, void** device) {
  if (index >= look().gpus.size()) return kInvalid;
  *device = reinterpret_cast<void*>(static_cast<std::size_t>(index) + 1);
  return kSuccess;
}
int nvmlDeviceGetName(void* device, char* to, unsigned int size) {
  return answer("nvmlDeviceGetName", device, [&](const World& world, std::size_t gpu) {
    return copy(world.gpus[gpu].name, to, size);
  });
}
int nvmlDeviceGetUUID(void* device, char* to, unsigned int size) {
  return answer("nvmlDeviceGetUUID", device, [&](const World&, std::size_t gpu) {
    return copy("GPU-0000000" + std::to_string(gpu), to, size);
  });
}
// As the real one: the reserve counts as used.
int nvmlDeviceGetMemoryInfo(void* device, FakeMemory* memory) {
  return answer("nvmlDeviceGetMemoryInfo", device, [&](const World& world, std::size_t gpu) {
    const Gpu& one = world.gpus[gpu];
    const unsigned long long taken = used(world, gpu) + one.reserved;
    *memory = {one.total, one.total - taken, taken};
    return kSuccess;
  });
}
int nvmlDeviceGetUtilizationRates(void* device, unsigned int* rates) {
  return answer("nvmlDeviceGetUtilizationRates", device, [&](const World&, std::size_t) {
    rates[0] = 75;
    rates[1] = 40;
    return kSuccess;
  });
}
int nvmlDeviceGetPowerUsage(void* device, unsigned int* milliwatts) {
  return give("nvmlDeviceGetPowerUsage", device, milliwatts, 250500);
}
int nvmlDeviceGetTemperature(void* device, int sensor, unsigned int* degrees) {
  return sensor != 0 ? kInvalid : give("nvmlDeviceGetTemperature", device, degrees, 61);
}
int nvmlDeviceGetClockInfo(void* device, int clock, unsigned int* mhz) {
  return give("nvmlDeviceGetClockInfo", device, mhz, clock == 1 ? 1410 : 1593);
}
int nvmlDeviceGetMaxClockInfo(void* device, int clock, unsigned int* mhz) {
  return give("nvmlDeviceGetMaxClockInfo", device, mhz, clock == 1 ? 1980 : 2619);
}
int nvmlDeviceGetComputeRunningProcesses(void* device, unsigned int* count,
                                         FakeProcess1* processes) {
  return list("nvmlDeviceGetComputeRunningProcesses", device, count, processes);
}

#ifndef FAKE_NVML_OLD
int nvmlDeviceGetMemoryInfo_v2(void* device, FakeMemory2* memory) {
  if (memory->version != (sizeof(FakeMemory2) | 2U << 24)) return kVersion;
  return answer("nvmlDeviceGetMemoryInfo_v2", device, [&](const World& world, std::size_t gpu) {
    const Gpu& one = world.gpus[gpu];
    const unsigned long long taken = used(world, gpu);
    *memory = {memory->version, one.total, one.reserved, one.total - one.reserved - taken, taken};
    return kSuccess;
  });
}
int nvmlDeviceGetEnforcedPowerLimit(void* device, unsigned int* milliwatts) {
  return give("nvmlDeviceGetEnforcedPowerLimit", device, milliwatts, 400000);
}
int nvmlDeviceGetCurrentClocksThrottleReasons(void* device, unsigned long long* bits) {
  return give("nvmlDeviceGetCurrentClocksThrottleReasons", device, bits, 4);
}
int nvmlDeviceGetCudaComputeCapability(void* device, int* major, int* minor) {
  *minor = 0;
  return give("nvmlDeviceGetCudaComputeCapability", device, major, 9);
}
int nvmlDeviceGetEccMode(void* device, int* now, int* later) {
  *later = 1;
  return give("nvmlDeviceGetEccMode", device, now, 1);
}
int nvmlDeviceGetTotalEccErrors(void* device, int type, int counter, unsigned long long* errors) {
  return type != 1 || counter != 0 ? kInvalid
                                   : give("nvmlDeviceGetTotalEccErrors", device, errors, 2);
}
int nvmlDeviceGetMigMode(void* device, unsigned int* now, unsigned int* later) {
  *later = 0;
  return give("nvmlDeviceGetMigMode", device, now, 0);
}
int nvmlDeviceGetPersistenceMode(void* device, int* on) {
  return give("nvmlDeviceGetPersistenceMode", device, on, 1);
}
int nvmlDeviceGetComputeRunningProcesses_v3(void* device, unsigned int* count,
                                            FakeProcess2* processes) {
  return list("nvmlDeviceGetComputeRunningProcesses_v3", device, count, processes);
}
#endif
}
