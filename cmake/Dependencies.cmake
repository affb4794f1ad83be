# fmt, nlohmann-json and hwloc come from the site (modules, Spack, the distribution) or, by default,
# from Python wheels in a virtual environment; MPI is found by find_package(MPI).
set(BEFF_VENV
    "${PROJECT_SOURCE_DIR}/.venv"
    CACHE PATH "Virtual environment whose wheels may provide the libraries")
file(GLOB BEFF_WHEELS "${BEFF_VENV}/lib/python3*/site-packages")
list(APPEND CMAKE_PREFIX_PATH "${BEFF_WHEELS}/cmeel.prefix")

find_package(fmt 9 REQUIRED CONFIG)
set(BEFF_FMT
    fmt::fmt
    CACHE STRING "fmt's target; fmt::fmt-header-only compiles it in, as Python packages need it")

find_package(nlohmann_json 3.10 QUIET CONFIG)
if(NOT nlohmann_json_FOUND)
  find_path(NLOHMANN_JSON_INCLUDE nlohmann/json.hpp PATHS "${BEFF_WHEELS}/nlohmann_json/include"
                                                          REQUIRED)
  add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED)
  target_include_directories(nlohmann_json::nlohmann_json SYSTEM INTERFACE "${NLOHMANN_JSON_INCLUDE}")
endif()

if(BEFF_ENGINES)
  find_path(HWLOC_INCLUDE hwloc.h PATHS "${BEFF_WHEELS}/cmeel.prefix/include" REQUIRED)
  find_library(HWLOC_LIBRARY hwloc PATHS "${BEFF_WHEELS}/cmeel.prefix/lib" REQUIRED)
  add_library(beff_hwloc INTERFACE)
  target_include_directories(beff_hwloc SYSTEM INTERFACE "${HWLOC_INCLUDE}")
  target_link_libraries(beff_hwloc INTERFACE "${HWLOC_LIBRARY}")

  # smpicxx brings MPI with it; every other compiler is told where MPI is.
  add_library(beff_mpi INTERFACE)
  if(CMAKE_CXX_COMPILER MATCHES "smpicxx$")
    set(BEFF_SMPI ON)
    target_compile_definitions(beff_mpi INTERFACE BEFF_SMPI)
  else()
    if(EXISTS "${BEFF_VENV}/bin/mpicc" AND NOT DEFINED MPI_C_COMPILER)
      set(MPI_C_COMPILER
          "${BEFF_VENV}/bin/mpicc"
          CACHE FILEPATH "MPI compiler wrapper")
    endif()
    find_package(MPI REQUIRED COMPONENTS C)
    # The compiler wrapper's own run path is a build machine's; CMake sets the right ones.
    get_target_property(options MPI::MPI_C INTERFACE_LINK_OPTIONS)
    if(options)
      list(FILTER options EXCLUDE REGEX "-rpath")
      set_target_properties(MPI::MPI_C PROPERTIES INTERFACE_LINK_OPTIONS "${options}")
    endif()
    target_link_libraries(beff_mpi INTERFACE MPI::MPI_C)
  endif()
endif()
