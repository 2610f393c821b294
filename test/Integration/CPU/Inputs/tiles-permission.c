/* Asks the runtime for tile registers, twice, in a child process, after asking
   the system in the same way: fails unless the child ends as it has to. */
#include "amp/Runtime/Runtime.h"

#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int isGranted = 1;
#if defined(__linux__) && defined(__x86_64__)
  isGranted = syscall(SYS_arch_prctl, 0x1023, 18) == 0;
#endif
  pid_t child = fork();
  if (child < 0)
    return 2;
  if (child == 0) {
    amp_enable_tiles();
    amp_enable_tiles();
    puts("enabled twice");
    fflush(stdout);
    _exit(0);
  }
  int status;
  if (waitpid(child, &status, 0) != child)
    return 2;
  int isAsExpected = isGranted
                         ? WIFEXITED(status) && WEXITSTATUS(status) == 0
                         : WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
  printf("%s, and the process %s\n", isGranted ? "granted" : "refused",
         isAsExpected ? "ends as it has to" : "ends otherwise");
  return !isAsExpected;
}
