/// GCC's headers, in the order that they need. Poisons malloc and its kin: include it last.
#pragma once

// clang-format off
#include "gcc-plugin.h"
#include "plugin-version.h"
#include "tree.h"
#include "gimple.h"
#include "gimple-iterator.h"
#include "gimple-walk.h"
#include "tree-pass.h"
#include "context.h"
#include "cgraph.h"
#include "basic-block.h"
#include "dominance.h"
#include "cfganal.h"
#include "omp-general.h"
#include "diagnostic.h"
#include "stringpool.h"
#include "attribs.h"
#include "ipa-utils.h"
#include "langhooks.h"
#include "options.h"
#include "opts.h"
#include "output.h"
#include "input.h"
#include "tree-cfg.h"
#include "toplev.h"
// clang-format on
