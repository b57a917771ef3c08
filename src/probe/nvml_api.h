// The part of NVML's binary interface that is used here: numbers, layouts and functions by the
// names that the library exports. Knows nothing of what they are for.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "base/result.h"

namespace evenbench::probe::nvml {

using Return = int;
inline constexpr Return kSuccess = 0;
inline constexpr Return kInsufficientSize = 7;
inline constexpr Return kDriverNotLoaded = 9;

using Device = struct DeviceHandle*;

struct Memory {
  unsigned long long total = 0, free = 0, used = 0;
};
struct Memory2 {  // used here is without the driver's reserve
  unsigned int version = 0;
  unsigned long long total = 0, reserved = 0, free = 0, used = 0;
};
static_assert(sizeof(Memory2) == 40);
inline constexpr unsigned int kMemory2Version = sizeof(Memory2) | 2U << 24;

struct Utilization {
  unsigned int gpu = 0, memory = 0;  // per cent
};

struct Process1 {
  unsigned int pid = 0;
  unsigned long long used = 0;
};
struct Process2 {  // of the functions _v2 and _v3
  unsigned int pid = 0;
  unsigned long long used = 0;
  unsigned int gpu_instance = 0, compute_instance = 0;
};
static_assert(sizeof(Process1) == 16 && sizeof(Process2) == 24);
inline constexpr unsigned long long kNotAvailable = ~0ULL;

inline constexpr int kTemperatureOfGpu = 0;
inline constexpr int kSmClock = 1;
inline constexpr int kMemoryClock = 2;
inline constexpr int kUncorrected = 1;  // ECC errors
inline constexpr int kVolatile = 0;     // since the driver was loaded

// nullptr: this library does not have it.
struct Api {
  Return (*init)() = nullptr;
  Return (*shutdown)() = nullptr;
  const char* (*error_string)(Return) = nullptr;
  Return (*driver_version)(char*, unsigned int) = nullptr;
  Return (*count)(unsigned int*) = nullptr;
  Return (*handle)(unsigned int, Device*) = nullptr;
  Return (*name)(Device, char*, unsigned int) = nullptr;
  Return (*uuid)(Device, char*, unsigned int) = nullptr;
  Return (*memory)(Device, Memory*) = nullptr;
  Return (*memory2)(Device, Memory2*) = nullptr;
  Return (*utilization)(Device, Utilization*) = nullptr;
  Return (*power)(Device, unsigned int*) = nullptr;        // milliwatts
  Return (*power_limit)(Device, unsigned int*) = nullptr;  // milliwatts, the one in force
  Return (*temperature)(Device, int, unsigned int*) = nullptr;
  Return (*clock)(Device, int, unsigned int*) = nullptr;      // MHz
  Return (*max_clock)(Device, int, unsigned int*) = nullptr;  // MHz
  Return (*throttle_reasons)(Device, unsigned long long*) = nullptr;
  Return (*capability)(Device, int*, int*) = nullptr;
  Return (*ecc_mode)(Device, int*, int*) = nullptr;  // now, after the next boot
  Return (*ecc_errors)(Device, int, int, unsigned long long*) = nullptr;
  Return (*mig_mode)(Device, unsigned int*, unsigned int*) = nullptr;  // now, after a reset
  Return (*persistence)(Device, int*) = nullptr;
  Return (*processes1)(Device, unsigned int*, Process1*) = nullptr;
  Return (*processes2)(Device, unsigned int*, Process2*) = nullptr;
};

// Loads it, and keeps it loaded until the program ends: NVML may have threads of its own. Error:
// not there, or without the functions that nothing goes without.
Result<Api> load(const std::string& library);

}  // namespace evenbench::probe::nvml
