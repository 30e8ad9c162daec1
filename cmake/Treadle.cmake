# SPDX-License-Identifier: Apache-2.0
# Harnesses of treadle in a CMake build.
#
#   include(Treadle)
#   treadle_add_test(NAME SOURCES file.c... [ARGS arg...] [OPTIONS --time=10s...]
#                    [LINK_LIBRARIES lib...] [INCLUDE_DIRECTORIES dir...] [DEFINITIONS X=1...])
#
# builds NAME from its sources with treadle cc, and adds the test treadle-NAME, which explores it: it passes
# if nothing is found and everything was covered (with OPTIONS --expect=no-bug: if nothing is found). The rest of
# the project is built as before. treadle_add_suite() at the end adds the test treadle-suite, which runs
# `treadle test` on all of them, several at a time.
#
# Each source is compiled to an object with a depfile, so that a harness is built again if a header changes; this needs
# CMake 3.20. It is built again for another treadle as well, whose runtime is linked into it.
#
# TREADLE_TIME is the budget of a harness (60s).

if(CMAKE_VERSION VERSION_LESS 3.20)
  message(FATAL_ERROR "Treadle.cmake needs CMake 3.20, for depfiles")
endif()
cmake_policy(SET CMP0116 NEW) # Ninja finds the paths of depfiles

find_program(TREADLE_EXECUTABLE treadle)
set(TREADLE_TIME "60s" CACHE STRING "time that treadle has for each harness")
set_property(GLOBAL PROPERTY TREADLE_HARNESSES "")

function(treadle_add_test name)
  cmake_parse_arguments(T "" "" "SOURCES;ARGS;OPTIONS;LINK_LIBRARIES;INCLUDE_DIRECTORIES;DEFINITIONS" ${ARGN})
  if(NOT TREADLE_EXECUTABLE)
    message(STATUS "treadle was not found: ${name} is left out")
    return()
  endif()
  set(program "${CMAKE_CURRENT_BINARY_DIR}/treadle/${name}")
  set(flags "")
  foreach(dir IN LISTS T_INCLUDE_DIRECTORIES)
    get_filename_component(dir "${dir}" ABSOLUTE)
    list(APPEND flags "-I${dir}")
  endforeach()
  foreach(definition IN LISTS T_DEFINITIONS)
    list(APPEND flags "-D${definition}")
  endforeach()
  set(libraries "")
  foreach(library IN LISTS T_LINK_LIBRARIES)
    list(APPEND libraries "-l${library}")
  endforeach()
  file(MAKE_DIRECTORY "${program}.dir")
  set(objects "")
  foreach(source IN LISTS T_SOURCES)
    get_filename_component(source "${source}" ABSOLUTE)
    get_filename_component(base "${source}" NAME)
    list(LENGTH objects number) # two sources may have one name
    set(object "${program}.dir/${number}-${base}.o")
    add_custom_command(OUTPUT "${object}"
      COMMAND "${TREADLE_EXECUTABLE}" cc --inputs -g -O1 -pthread ${flags} -MD -MF "${object}.d" -MT "${object}"
        -c "${source}" -o "${object}"
      DEPENDS "${source}" "${TREADLE_EXECUTABLE}"
      DEPFILE "${object}.d"
      COMMENT "treadle cc ${name}: ${base}"
      VERBATIM)
    list(APPEND objects "${object}")
  endforeach()
  add_custom_command(OUTPUT "${program}"
    COMMAND "${TREADLE_EXECUTABLE}" cc --inputs -g -pthread ${objects} -o "${program}" ${libraries}
    DEPENDS ${objects}
    COMMENT "treadle cc ${name}"
    VERBATIM)
  add_custom_target("treadle-${name}" ALL DEPENDS "${program}")
  # One line of a manifest; treadle test knows --expect, which treadle run does not.
  string(JOIN " " line ${name} --time=${TREADLE_TIME} ${T_OPTIONS} "\"${program}\"" ${T_ARGS})
  file(WRITE "${program}.suite" "treadle-suite 1\n${line}\n")
  set_property(GLOBAL APPEND PROPERTY TREADLE_HARNESSES "${line}")
  add_test(NAME "treadle-${name}"
    COMMAND "${TREADLE_EXECUTABLE}" test "--out=${program}.out" "--known=${CMAKE_CURRENT_SOURCE_DIR}/treadle-known"
      "${program}.suite")
endfunction()

function(treadle_add_suite)
  get_property(lines GLOBAL PROPERTY TREADLE_HARNESSES)
  if(NOT TREADLE_EXECUTABLE OR NOT lines)
    return()
  endif()
  string(JOIN "\n" text "treadle-suite 1" ${lines})
  file(WRITE "${CMAKE_BINARY_DIR}/treadle.suite" "${text}\n")
  add_test(NAME treadle-suite
    COMMAND "${TREADLE_EXECUTABLE}" test "--out=${CMAKE_BINARY_DIR}/treadle-suite.out"
      "--junit=${CMAKE_BINARY_DIR}/treadle.xml" "--known=${CMAKE_SOURCE_DIR}/treadle-known"
      "${CMAKE_BINARY_DIR}/treadle.suite")
endfunction()
