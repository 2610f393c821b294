//===- Fiber.cpp - stacks to run the threads of a block on ----------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fiber.h"

#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

#if !defined(__x86_64__) && !defined(__aarch64__)
#define AMP_SIM_UCONTEXT
#include <ucontext.h>
#endif

using namespace amp::sim;

/// Room for a kernel's variables; pages are committed when touched.
static constexpr size_t stackBytes = 512 * 1024;

#ifndef AMP_SIM_UCONTEXT
// swapcontext saves the signal mask with a system call per switch, which would
// be most of the time of a simulated barrier. Only what a call preserves needs
// to be saved here.
extern "C" __attribute__((visibility("hidden"))) void
ampSimSwitchStack(void **from, void *to);
extern "C" __attribute__((visibility("hidden"))) void ampSimEnterFiber();

#if defined(__x86_64__)
asm(R"(
.text
.p2align 4
.hidden ampSimSwitchStack
.globl ampSimSwitchStack
.type ampSimSwitchStack,@function
ampSimSwitchStack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  subq $8, %rsp
  stmxcsr (%rsp)
  fnstcw 4(%rsp)
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  ldmxcsr (%rsp)
  fldcw 4(%rsp)
  addq $8, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size ampSimSwitchStack, .-ampSimSwitchStack
.p2align 4
.hidden ampSimEnterFiber
.globl ampSimEnterFiber
.type ampSimEnterFiber,@function
ampSimEnterFiber:
  movq %r12, %rdi
  callq *%rbx
  ud2
.size ampSimEnterFiber, .-ampSimEnterFiber
)");
#else
asm(R"(
.text
.p2align 4
.hidden ampSimSwitchStack
.globl ampSimSwitchStack
.type ampSimSwitchStack,%function
ampSimSwitchStack:
  sub sp, sp, #176
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #176
  ret
.size ampSimSwitchStack, .-ampSimSwitchStack
.p2align 4
.hidden ampSimEnterFiber
.globl ampSimEnterFiber
.type ampSimEnterFiber,%function
ampSimEnterFiber:
  mov x0, x20
  blr x19
  brk #0
.size ampSimEnterFiber, .-ampSimEnterFiber
)");
#endif

struct Fiber::Context {
  void *own = nullptr;
  void *other = nullptr;
};

void Fiber::start(void (*entry)(void *), void *argument) {
  auto *top = reinterpret_cast<uint64_t *>(stack + size);
#if defined(__x86_64__)
  // The frame that ampSimSwitchStack pops: control words, r15 to r12, rbx, rbp,
  // and the address to return to, which leaves the stack aligned as the ABI
  // wants it before a call.
  top -= 2;
  *--top = reinterpret_cast<uint64_t>(&ampSimEnterFiber);
  *--top = 0;                                    // rbp
  *--top = reinterpret_cast<uint64_t>(entry);    // rbx
  *--top = reinterpret_cast<uint64_t>(argument); // r12
  *--top = 0;
  *--top = 0;
  *--top = 0;
  uint32_t mxcsr;
  uint16_t control;
  asm volatile("stmxcsr %0" : "=m"(mxcsr));
  asm volatile("fnstcw %0" : "=m"(control));
  *--top = mxcsr | static_cast<uint64_t>(control) << 32;
#else
  top -= 22;
  for (unsigned i = 0; i < 22; ++i)
    top[i] = 0;
  top[0] = reinterpret_cast<uint64_t>(entry);              // x19
  top[1] = reinterpret_cast<uint64_t>(argument);           // x20
  top[11] = reinterpret_cast<uint64_t>(&ampSimEnterFiber); // x30
#endif
  context->own = top;
}

void Fiber::resume() { ampSimSwitchStack(&context->other, context->own); }
void Fiber::suspend() { ampSimSwitchStack(&context->own, context->other); }

#else // AMP_SIM_UCONTEXT

struct Fiber::Context {
  ucontext_t own, other;
  void (*entry)(void *);
  void *argument;

  /// makecontext passes ints only.
  static void enter(unsigned high, unsigned low) {
    auto *self = reinterpret_cast<Context *>(static_cast<uintptr_t>(
        static_cast<uint64_t>(high) << 32 | static_cast<uint64_t>(low)));
    self->entry(self->argument);
  }
};

void Fiber::start(void (*entry)(void *), void *argument) {
  getcontext(&context->own);
  context->own.uc_stack.ss_sp = stack;
  context->own.uc_stack.ss_size = size;
  context->own.uc_link = nullptr;
  context->entry = entry;
  context->argument = argument;
  uint64_t self = reinterpret_cast<uintptr_t>(context);
  makecontext(&context->own, reinterpret_cast<void (*)()>(&Context::enter), 2,
              static_cast<unsigned>(self >> 32), static_cast<unsigned>(self));
}

void Fiber::resume() { swapcontext(&context->other, &context->own); }
void Fiber::suspend() { swapcontext(&context->own, &context->other); }
#endif

Fiber::Fiber() : size(stackBytes), context(new Context()) {
  size_t guard = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  void *memory =
      mmap(nullptr, size + guard, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory, guard, PROT_NONE) != 0) {
    std::fprintf(stderr, "amp-sim: error: no memory for the stack of a "
                         "simulated thread\n");
    std::exit(1);
  }
  stack = static_cast<uint8_t *>(memory) + guard;
}

Fiber::~Fiber() {
  size_t guard = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  munmap(stack - guard, size + guard);
  delete context;
}
