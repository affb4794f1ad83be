#pragma once

#include <algorithm>

#include "engines/b_eff_io/agreement.hpp"
#include "engines/b_eff_io/call_loop.hpp"

namespace beff::b_eff_io {

/// Makes the calls of a batch, and lets an agreement that is under way go on between them: a
/// reduction of n processes takes about log2(n) steps, which the library makes only when it is
/// called.
inline void run_batch(const TypeMethod& method, const Work& work, std::int64_t first,
                      std::int64_t calls, Agreement& agreement, CallErrors& errors) {
  constexpr std::int64_t kPieces = 8;
  const std::int64_t piece =
      agreement.under_way() ? std::max<std::int64_t>(1, (calls + kPieces - 1) / kPieces) : calls;
  for (std::int64_t done = 0; done < calls; done += piece) {
    method.run(work, first + done, std::min(piece, calls - done), errors);
    agreement.advance();
  }
}

}  // namespace beff::b_eff_io
