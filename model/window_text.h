/// The `window` statement of snapshot text; see snapshot_text.h.
#pragma once

#include <string>

#include "base/result.h"
#include "model/snapshot_words.h"
#include "model/window.h"

namespace mqinspect::model {

/// The words behind `rank N window`.
std::string window_words(const Window& window);

/// Without its rank. InvalidArgument names the word that is wrong.
Result<Window> parse_window(Words& words);

}  // namespace mqinspect::model
