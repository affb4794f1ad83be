# Interface target with the warnings every part is compiled with, and the sanitizers on request.
add_library(beff_warnings INTERFACE)
target_compile_options(
  beff_warnings
  INTERFACE -Wall
            -Wextra
            -Wpedantic
            -Wshadow
            -Wconversion
            -Wsign-conversion
            -Wnon-virtual-dtor
            -Wold-style-cast
            # GCC 12 reports every std::optional that is copied at -O2
            $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
            $<$<BOOL:${BEFF_WERROR}>:-Werror>)
if(BEFF_SANITIZE)
  target_compile_options(beff_warnings INTERFACE -fsanitize=address,undefined
                                                 -fno-sanitize-recover=undefined
                                                 -fno-omit-frame-pointer)
  target_link_options(beff_warnings INTERFACE -fsanitize=address,undefined)
endif()
