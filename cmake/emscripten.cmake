# Toolchain file: Emscripten from PATH where that is new enough, else the one that scripts/setup.mjs unpacked.
include("${CMAKE_CURRENT_LIST_DIR}/prefix.cmake")

set(minimum 3.1.69)
set(candidates "${HEADLIGHT_PREFIX}/emscripten/root/usr/share/emscripten")
find_program(HEADLIGHT_EMCC emcc HINTS ENV PATH NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
if(HEADLIGHT_EMCC)
  file(REAL_PATH "${HEADLIGHT_EMCC}" emcc)
  cmake_path(GET emcc PARENT_PATH beside)
  list(PREPEND candidates "${beside}" /usr/share/emscripten)  # Debian's /usr/bin/emcc calls the latter
endif()
# The tests run in the Node that PATH names; Emscripten would prefer one called nodejs.
find_program(NODE_JS_EXECUTABLE node HINTS ENV PATH NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)

foreach(root IN LISTS candidates)
  if(EXISTS "${root}/emscripten-version.txt")
    file(STRINGS "${root}/emscripten-version.txt" version)
    string(REGEX MATCH "[0-9.]+" version "${version}")
    if(version VERSION_GREATER_EQUAL ${minimum})
      include("${root}/cmake/Modules/Platform/Emscripten.cmake")
      return()
    endif()
  endif()
endforeach()
message(FATAL_ERROR "Emscripten ${minimum} or newer is neither on PATH nor in ${HEADLIGHT_PREFIX}/emscripten. "
  "Run: node scripts/setup.mjs")
