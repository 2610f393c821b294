//===- Shadow.cpp - who touched which byte --------------------------------===//
//
// Part of the amp project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shadow.h"

using namespace amp::sim;

Shadow::~Shadow() {
  for (auto &page : pages)
    delete[] page.second;
}

Cell *Shadow::find(uintptr_t page) {
  Cell *&cells = pages[page];
  if (!cells)
    cells = new Cell[pageBytes];
  return cells;
}

void Shadow::drop(uintptr_t begin, uintptr_t end) {
  for (uintptr_t page = (begin + pageBytes - 1) / pageBytes;
       (page + 1) * pageBytes <= end; ++page) {
    auto found = pages.find(page);
    if (found == pages.end())
      continue;
    delete[] found->second;
    pages.erase(found);
    cache[page % cacheSize] = Entry();
  }
}
