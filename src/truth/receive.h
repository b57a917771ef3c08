// A read with the instant at which the kernel had its last byte: from there a client's waiting is
// counted, however late the server came to read.
#pragma once

#include <sys/types.h>

#include <cstddef>

#include "base/time.h"

namespace evenbench::truth {

// Where the kernel refuses, reads carry no instant.
void ask_for_stamps(int fd);

struct Received {
  ssize_t bytes = 0;  // as recv() has it, errno included
  MonoTime kernel = kNever;
};
Received receive(int fd, char* buffer, std::size_t size, const Clock& clock);

}  // namespace evenbench::truth
