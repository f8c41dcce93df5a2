/// std::shared_ptr and boost::shared_ptr: what the last owner destroys.
///
/// Control blocks destroy objects of any class by one virtual function, so that each release of
/// any pointer would seem to reach all destructors of the program. Pointers are copied and released
/// everywhere, and next to never is that the last one: but reset() mostly means it, and the end of
/// a local variable which nobody copies. Its release is a virtual call of a slot that the classes
/// of objects have in place of the control block's own.
/// The members that this goes by are those of libstdc++ 12's bits/shared_ptr_base.h and of Boost
/// 1.74's smart_ptr/.
#pragma once

#include <string>
#include <string_view>

#include "thread_level/gcc_plugin/gathering.h"
#include "thread_level/gcc_plugin/source_walk.h"

namespace mqinspect::thread_level::plugin {

/// Empty: the call in the function is not the release of a reset().
std::string reset_slot(tree function, tree callee);
/// Empty: the call is not the destructor of a local pointer that alone has its object.
std::string sole_owner_slot(const LocatedCall& at, SourceWalk& source);
/// The slots of a function that control blocks destroy their object by, of the object's class and
/// of its bases; others have none.
void add_disposals(Gathering& gathering, Function& function, tree method);
bool is_disposal_slot(std::string_view slot);
/// A virtual call of a control block of Boost's, whatever is in it.
bool is_call_of_control_block(tree class_type);

}  // namespace mqinspect::thread_level::plugin
