# Nearly every file includes these two, and reading them takes two thirds of its compilation. SMPI's
# compiler wrapper puts a header of its own first and so would ignore precompiled ones.
function(beff_precompile target)
  if(NOT BEFF_SMPI)
    target_precompile_headers(${target} PRIVATE <fmt/format.h> <nlohmann/json.hpp>)
  endif()
endfunction()
