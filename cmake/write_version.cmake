# The commit is git's, or, of sources from `git archive`, what that wrote into the file COMMIT.
file(STRINGS "${SOURCE_DIR}/cmake/COMMIT" COMMIT LIMIT_COUNT 1)
if(COMMIT MATCHES "^[0-9a-f]+$")
  string(SUBSTRING "${COMMIT}" 0 12 COMMIT)
else()
  execute_process(
    COMMAND git describe --always --dirty --abbrev=12 --exclude=*
    WORKING_DIRECTORY "${SOURCE_DIR}"
    OUTPUT_VARIABLE COMMIT
    OUTPUT_STRIP_TRAILING_WHITESPACE
    ERROR_QUIET)
endif()
if(NOT COMMIT)
  set(COMMIT "unknown")
endif()
file(
  CONFIGURE
  OUTPUT
  "${OUTPUT}"
  CONTENT
  "namespace beff {
extern const char* const kProgramVersion = \"@VERSION@\";
extern const char* const kGitCommit = \"@COMMIT@\";
}  // namespace beff
"
  @ONLY)
