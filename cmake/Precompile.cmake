# Nearly every file includes these. Targets that are compiled alike share what one of them makes, the
# optional second argument. SMPI's compiler wrapper puts a header of its own first and so would ignore
# precompiled ones.
function(beff_precompile target)
  if(BEFF_SMPI OR CMAKE_DISABLE_PRECOMPILE_HEADERS)
    return()
  endif()
  if(ARGC GREATER 1)
    target_precompile_headers(${target} REUSE_FROM ${ARGV1})
    return()
  endif()
  target_precompile_headers(
    ${target}
    PRIVATE
    <fmt/format.h>
    <algorithm>
    <functional>
    <map>
    <optional>
    <string>
    <vector>)
endfunction()
