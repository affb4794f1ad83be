# Writes version.cpp with the project's version and the git commit it is built from. The commit is
# looked up at every build, and the file rewritten only when it changes.
set(BEFF_VERSION_SOURCE "${PROJECT_BINARY_DIR}/version.cpp")
add_custom_target(
  beff_version_source
  COMMAND
    ${CMAKE_COMMAND} -DVERSION=${PROJECT_VERSION} -DSOURCE_DIR=${PROJECT_SOURCE_DIR}
    -DOUTPUT=${BEFF_VERSION_SOURCE} -P ${PROJECT_SOURCE_DIR}/cmake/write_version.cmake
  BYPRODUCTS "${BEFF_VERSION_SOURCE}"
  COMMENT "Recording the version")
