# Writes the words for criteria and statements, which the companion reads from the same file, as a table of the core.
set(BEFF_SENTENCES "${PROJECT_BINARY_DIR}/generated")
set(file "${PROJECT_SOURCE_DIR}/python/beff/show/parts/sentences.json")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
file(READ "${file}" words)

set(statements "")
string(JSON count LENGTH "${words}" statements)
math(EXPR last "${count} - 1")
foreach(place RANGE ${last})
  string(JSON code MEMBER "${words}" statements ${place})
  string(JSON sentence GET "${words}" statements "${code}")
  string(APPEND statements "    {\"${code}\", R\"~(${sentence})~\"},\n")
endforeach()

set(criteria "")
string(JSON count LENGTH "${words}" criteria)
math(EXPR last "${count} - 1")
foreach(place RANGE ${last})
  string(JSON code MEMBER "${words}" criteria ${place})
  string(JSON required GET "${words}" criteria "${code}" required)
  string(JSON found GET "${words}" criteria "${code}" found)
  string(APPEND criteria "    {\"${code}\", R\"~(${required})~\", R\"~(${found})~\"},\n")
endforeach()

file(
  CONFIGURE
  OUTPUT
  "${BEFF_SENTENCES}/sentences.inc"
  CONTENT
  "constexpr auto kStatements = std::to_array<StatementWords>({
@statements@});
constexpr auto kCriteria = std::to_array<CriterionWords>({
@criteria@});
"
  @ONLY)
