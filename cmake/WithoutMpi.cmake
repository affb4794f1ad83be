# What knows no MPI is the same for all MPI libraries.
set(BEFF_BUILT
    ""
    CACHE PATH "Folder of a build of these sources with another MPI and the same BEFF_FMT: what has no MPI is linked from it")

# Makes the static library TARGET of SOURCES, which need the targets NEEDS and share the precompiled headers of ALIKE,
# or takes that of BEFF_BUILT.
function(beff_library_without_mpi target)
  cmake_parse_arguments(PARSE_ARGV 1 of "" "ALIKE" "SOURCES;NEEDS")
  if(BEFF_BUILT)
    file(RELATIVE_PATH folder "${PROJECT_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}")
    add_library(${target} STATIC IMPORTED GLOBAL)
    set_target_properties(${target} PROPERTIES IMPORTED_LOCATION "${BEFF_BUILT}/${folder}/lib${target}.a")
    target_include_directories(${target} INTERFACE "${PROJECT_SOURCE_DIR}")
    target_link_libraries(${target} INTERFACE ${of_NEEDS})
  else()
    add_library(${target} STATIC ${of_SOURCES})
    target_include_directories(${target} PUBLIC "${PROJECT_SOURCE_DIR}")
    target_link_libraries(
      ${target}
      PUBLIC ${of_NEEDS}
      PRIVATE beff_warnings)
    beff_precompile(${target} ${of_ALIKE})
  endif()
endfunction()
