execute_process(
  COMMAND git describe --always --dirty --abbrev=12 --exclude=*
  WORKING_DIRECTORY "${SOURCE_DIR}"
  OUTPUT_VARIABLE COMMIT
  OUTPUT_STRIP_TRAILING_WHITESPACE
  ERROR_QUIET)
if(NOT COMMIT)
  set(COMMIT "unknown")
endif()
file(
  CONFIGURE
  OUTPUT
  "${OUTPUT}"
  CONTENT
  "#include \"core/record/program.hpp\"

namespace beff {
const char* const kVersion = \"@VERSION@\";
const char* const kGitCommit = \"@COMMIT@\";
}  // namespace beff
"
  @ONLY)
