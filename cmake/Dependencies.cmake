# fmt and nlohmann-json come from the site (modules, Spack, the distribution), from Python wheels in a virtual
# environment, from headers/ in the sources, or else by tools/fetch_headers. find_package(MPI) finds MPI.
set(BEFF_VENV
    "${PROJECT_SOURCE_DIR}/.venv"
    CACHE PATH "Virtual environment whose wheels may provide the libraries")
set(BEFF_HEADERS
    "${PROJECT_SOURCE_DIR}/headers"
    CACHE PATH "Folder with include/fmt and include/nlohmann, for what is not found elsewhere")
file(GLOB BEFF_WHEELS "${BEFF_VENV}/lib/python3*/site-packages")
list(APPEND CMAKE_PREFIX_PATH "${BEFF_WHEELS}/cmeel.prefix")

# Makes the interface library TARGET of the headers in BEFF_HEADERS, where they are fetched to if need be.
function(beff_headers target header)
  set(folder "${BEFF_HEADERS}")
  if(NOT EXISTS "${folder}/include/${header}")
    set(folder "${PROJECT_BINARY_DIR}/headers")
  endif()
  if(NOT EXISTS "${folder}/include/${header}")
    message(STATUS "Fetching ${header}")
    execute_process(
      COMMAND "${PROJECT_SOURCE_DIR}/tools/fetch_headers" "${folder}"
      RESULT_VARIABLE failed
      ERROR_VARIABLE why)
    if(failed)
      message(
        FATAL_ERROR
          "${header} is not found and cannot be fetched: ${why}Load modules of fmt and nlohmann_json, or call "
          "`tools/fetch_headers headers` in these sources on a machine with a network.")
    endif()
  endif()
  message(STATUS "Using ${folder}/include/${header}")
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} SYSTEM INTERFACE "${folder}/include")
endfunction()

set(BEFF_FMT
    fmt::fmt
    CACHE STRING "fmt's target; beff_fmt compiles it into the core, as Python packages need it")
find_package(fmt 9 QUIET CONFIG)
if(fmt_FOUND)
  add_library(beff_fmt INTERFACE IMPORTED)
  target_include_directories(beff_fmt SYSTEM
                             INTERFACE $<TARGET_PROPERTY:fmt::fmt,INTERFACE_INCLUDE_DIRECTORIES>)
else()
  beff_headers(beff_fmt fmt/format.h)
  set(BEFF_FMT beff_fmt)
endif()
if(NOT fmt_FOUND OR fmt_VERSION VERSION_LESS 12)
  # fmt.cpp lacks what the headers of 10 and 11.0 leave to fmt's own library
  target_compile_definitions(beff_fmt INTERFACE FMT_HEADER_ONLY=1)
endif()

find_package(nlohmann_json 3.10 QUIET CONFIG)
if(NOT nlohmann_json_FOUND)
  find_path(NLOHMANN_JSON_INCLUDE nlohmann/json.hpp PATHS "${BEFF_WHEELS}/nlohmann_json/include")
  if(NLOHMANN_JSON_INCLUDE)
    add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED)
    target_include_directories(nlohmann_json::nlohmann_json SYSTEM INTERFACE "${NLOHMANN_JSON_INCLUDE}")
  else()
    beff_headers(nlohmann_json::nlohmann_json nlohmann/json.hpp)
  endif()
endif()

if(BEFF_ENGINES)
  # smpicxx brings MPI with it; every other compiler needs the path of MPI.
  add_library(beff_mpi INTERFACE)
  if(CMAKE_CXX_COMPILER MATCHES "smpicxx$")
    set(BEFF_SMPI ON)
    target_compile_definitions(beff_mpi INTERFACE BEFF_SMPI)
  else()
    if(EXISTS "${BEFF_VENV}/lib/libmpi.so" AND (BEFF_MPI_OF_VENV OR NOT DEFINED MPI_C_COMPILER))
      # Without its compiler wrapper, which takes a path apart at a blank; find_package defines it for the next time.
      set(BEFF_MPI_OF_VENV
          ON
          CACHE INTERNAL "The MPI library is that of BEFF_VENV")
      set(MPI_SKIP_COMPILER_WRAPPER ON)
      set(MPI_ASSUME_NO_BUILTIN_MPI ON)
      set(MPI_C_HEADER_DIR
          "${BEFF_VENV}/include"
          CACHE PATH "Folder of mpi.h")
      set(MPI_C_LIB_NAMES
          mpi
          CACHE STRING "MPI libraries")
      set(MPI_mpi_LIBRARY
          "${BEFF_VENV}/lib/libmpi.so"
          CACHE FILEPATH "MPI library")
    endif()
    find_package(MPI REQUIRED COMPONENTS C)
    # The compiler wrapper's own run path is a build machine's; CMake sets the right ones.
    get_target_property(options MPI::MPI_C INTERFACE_LINK_OPTIONS)
    if(options)
      list(FILTER options EXCLUDE REGEX "-rpath")
      set_target_properties(MPI::MPI_C PROPERTIES INTERFACE_LINK_OPTIONS "${options}")
    endif()
    # mpi.h of older libraries brings C++ bindings whose library is not linked.
    target_compile_definitions(beff_mpi INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
    target_link_libraries(beff_mpi INTERFACE MPI::MPI_C)
  endif()
endif()
