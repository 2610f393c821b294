# Functions that define amp's libraries and tools.

# The headers that most sources include, compiled once for all of them: reading
# them takes three quarters of the time of a build.
if(AMP_PRECOMPILE_HEADERS)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/AMPPrecompiledHeaders.cpp)
  file(WRITE ${source} "")
  add_library(AMPPrecompiledHeaders OBJECT ${source})
  llvm_update_compile_flags(AMPPrecompiledHeaders)
  # Without the time, ccache knows them again.
  target_compile_options(AMPPrecompiledHeaders PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  target_precompile_headers(AMPPrecompiledHeaders PRIVATE
    <mlir/Dialect/Affine/IR/AffineOps.h>
    <mlir/Dialect/Arith/IR/Arith.h>
    <mlir/Dialect/Func/IR/FuncOps.h>
    <mlir/Dialect/GPU/IR/GPUDialect.h>
    <mlir/Dialect/LLVMIR/LLVMDialect.h>
    <mlir/Dialect/Linalg/IR/Linalg.h>
    <mlir/Dialect/Math/IR/Math.h>
    <mlir/Dialect/MemRef/IR/MemRef.h>
    <mlir/Dialect/SCF/IR/SCF.h>
    <mlir/Dialect/Tensor/IR/Tensor.h>
    <mlir/Dialect/Vector/IR/VectorOps.h>
    <mlir/Interfaces/FunctionInterfaces.h>
    <mlir/Pass/Pass.h>
    <mlir/Transforms/GreedyPatternRewriteDriver.h>)
endif()

# Lets the sources of a target start from those headers; one that does not link
# MLIR sets its property DISABLE_PRECOMPILE_HEADERS.
function(amp_precompile_headers name)
  if(AMP_PRECOMPILE_HEADERS)
    # As the headers were compiled: CMake would give executables -fPIE.
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${name} PRIVATE -fPIC)
    target_precompile_headers(${name} REUSE_FROM AMPPrecompiledHeaders)
  endif()
endfunction()

# add_amp_library(name sources... [DEPENDS targets...] [LINK_LIBS PUBLIC libs...])
# An amp library: exported in AMPTargets, with include directories for build and install trees.
# Link MLIR libraries with mlir_target_link_libraries, so that they resolve to libMLIR.so.
function(add_amp_library name)
  add_mlir_library(${name} ${ARGN} EXCLUDE_FROM_LIBMLIR DISABLE_INSTALL)
  target_include_directories(${name} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  set_target_properties(${name} PROPERTIES
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
    INSTALL_RPATH "$ORIGIN;${LLVM_LIBRARY_DIR}")
  amp_precompile_headers(${name})
  set_property(GLOBAL APPEND PROPERTY AMP_LIBS ${name})
endfunction()

# add_amp_doc(name td_file generator [tblgen options...])
# Part of the target amp-doc: writes docs/generated/<name>.md of the source
# tree from <td_file> by mlir-tblgen's <generator> (-gen-dialect-doc,
# -gen-pass-doc, -gen-op-interface-docs, ...).
function(add_amp_doc name td_file generator)
  set(LLVM_TARGET_DEFINITIONS ${td_file})
  tablegen(MLIR ${name}.md ${generator} ${ARGN})
  add_custom_target(amp-doc-${name}
    COMMAND ${CMAKE_COMMAND} -E copy_if_different
            ${CMAKE_CURRENT_BINARY_DIR}/${name}.md
            ${PROJECT_SOURCE_DIR}/docs/generated/${name}.md
    DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/${name}.md)
  add_dependencies(amp-doc amp-doc-${name})
endfunction()

# add_amp_tool(name sources...)
function(add_amp_tool name)
  add_llvm_executable(${name} ${ARGN})
  llvm_update_compile_flags(${name})
  set_target_properties(${name} PROPERTIES
    INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR};${LLVM_LIBRARY_DIR}")
  amp_precompile_headers(${name})
  set_property(GLOBAL APPEND PROPERTY AMP_TOOLS ${name})
endfunction()

# add_amp_unittest(name sources... [LINK_LIBS libs...])
# A GoogleTest program. Its cases are known to ctest one by one, under the label
# "unit"; the target check-amp-unit builds all such programs and runs them.
function(add_amp_unittest name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  find_package(GTest REQUIRED)
  include(GoogleTest)
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  llvm_update_compile_flags(${name})
  amp_precompile_headers(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} LLVM GTest::gtest_main)
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST PROPERTIES LABELS unit)
  if(NOT TARGET check-amp-unit)
    add_custom_target(check-amp-unit
      COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${PROJECT_BINARY_DIR} -L unit --output-on-failure
      COMMENT "Running the amp unit tests"
      USES_TERMINAL)
  endif()
  add_dependencies(check-amp-unit ${name})
endfunction()
