#include "truth/program.h"

int main(int argc, char** argv) {
  const evenbench::SystemClock clock;
  return evenbench::truth::run_program(argc, argv, clock);
}
