# Targets nlohmann_json::nlohmann_json, Eigen3::Eigen (headers) and Catch2::Catch2WithMain, the same for
# the native and the Emscripten compiler. Each comes from, in this order: FETCHCONTENT_SOURCE_DIR_<NAME>;
# the sources that scripts/setup.mjs unpacked; natively an installed package; a download.
include(FetchContent)
include("${CMAKE_CURRENT_LIST_DIR}/prefix.cmake")

file(READ "${CMAKE_CURRENT_LIST_DIR}/dependencies.json" pinned)

# headlight_fetch(NAME PACKAGE [FetchContent_Declare's options...]): PACKAGE is what find_package calls it.
macro(headlight_fetch name package)
  string(JSON version GET "${pinned}" ${name} version)
  string(JSON url GET "${pinned}" ${name} url)
  string(JSON sha256 GET "${pinned}" ${name} sha256)
  string(TOUPPER ${name} upper)
  if(NOT FETCHCONTENT_SOURCE_DIR_${upper} AND EXISTS "${HEADLIGHT_PREFIX}/sources/${name}-${version}")
    set(FETCHCONTENT_SOURCE_DIR_${upper} "${HEADLIGHT_PREFIX}/sources/${name}-${version}")
  endif()
  FetchContent_Declare(${name} URL "${url}" URL_HASH SHA256=${sha256} DOWNLOAD_EXTRACT_TIMESTAMP OFF ${ARGN}
    FIND_PACKAGE_ARGS ${version} NAMES ${package})
  FetchContent_MakeAvailable(${name})
endmacro()

# headlight_headers(TARGET DIR): a library of headers in which warnings are not ours.
function(headlight_headers target dir)
  if(NOT TARGET ${target})
    add_library(${target} INTERFACE IMPORTED GLOBAL)
    target_include_directories(${target} INTERFACE "${dir}")
  endif()
endfunction()

# Header-only libraries: SOURCE_SUBDIR names no CMake project, so that their own builds are not run.
headlight_fetch(nlohmann_json nlohmann_json SOURCE_SUBDIR none)
headlight_headers(nlohmann_json::nlohmann_json "${nlohmann_json_SOURCE_DIR}/include")

if(HEADLIGHT_BUILD_TESTS)
  headlight_fetch(eigen Eigen3 SOURCE_SUBDIR none)
  headlight_headers(Eigen3::Eigen "${eigen_SOURCE_DIR}")

  headlight_fetch(catch2 Catch2 SYSTEM)
  if(TARGET Catch2)  # from source: as one file it builds several times faster
    set_target_properties(Catch2 PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
  endif()
endif()
