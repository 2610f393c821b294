// The distribution's own mlir-opt loads amp as a plugin.
// UNSUPPORTED: sanitizer
// RUN: mlir-opt --load-dialect-plugin=%amp_lib/AMPPlugin%shlibext --load-pass-plugin=%amp_lib/AMPPlugin%shlibext \
// RUN:   --show-dialects | FileCheck %s --check-prefix=DIALECTS
// DIALECTS: amp,
