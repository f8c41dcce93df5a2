#include "thread_level/gcc_plugin/moved_objects.h"

#include <algorithm>
#include <string_view>

#include "thread_level/facts/library_functions.h"
#include "thread_level/gcc_plugin/futures.h"

namespace mqinspect::thread_level::plugin {
namespace {

constexpr int kMostMoves = 8;  // of one object that are followed

/// Of a member function; null: it is none.
tree class_of(tree function) {
    const tree type = DECL_CONTEXT(function);
    return type != NULL_TREE && RECORD_OR_UNION_TYPE_P(type) ? TYPE_MAIN_VARIANT(type) : NULL_TREE;
}

bool is_rvalue_of_class(tree type) {
    return TREE_CODE(type) == REFERENCE_TYPE && TYPE_REF_IS_RVALUE(type) &&
           RECORD_OR_UNION_TYPE_P(TREE_TYPE(type));
}

/// std::move() and its kin hand on what they get.
bool returns_rvalue(tree callee) {
    const tree type = TREE_TYPE(TREE_TYPE(callee));
    return TREE_CODE(type) == REFERENCE_TYPE && TYPE_REF_IS_RVALUE(type);
}

/// A variable of the function; a reference or a parameter is known elsewhere, too.
bool is_object(tree operand) {
    return VAR_P(operand) && !is_global_var(operand) && RECORD_OR_UNION_TYPE_P(TREE_TYPE(operand));
}

bool is_pointer_name(tree operand) {
    return is_local_name(operand) && POINTER_TYPE_P(TREE_TYPE(operand));
}

}  // namespace

void MovedObjects::find() {
    objects_.clear();
    handed_.clear();
    numbers_.clear();
    users_.clear();
    sparing_.clear();
    leftovers_.clear();
    from_elsewhere_.clear();
    if (!is_cxx() || is_of_library(current_function_decl)) return;
    for (const Located& at : source_.any_calls) {
        const tree callee = gimple_call_fndecl(at.statement);
        if (callee == NULL_TREE || gimple_call_num_args(at.statement) == 0) continue;
        note_moves(at.statement);
        note_reset(at.statement);
    }
    if (handed_.empty()) return;
    collect_fills();
    for (const Located& at : source_.any_calls) {
        const auto handed = handed_.find(at.statement);
        const tree content =
            handed == handed_.end() ? NULL_TREE : content_of(handed->second, kMostMoves);
        if (content == NULL_TREE) continue;
        const auto next = static_cast<std::uint32_t>(numbers_.size() + 1);
        sparing_.emplace(at.statement, numbers_.emplace(content, next).first->second);
    }
    for (const Located& at : source_.any_calls)
        note_parts(at.statement);
}

bool MovedObjects::is_of_library(tree callee) const {
    return is_of_standard_library(gathering_.unit.strings[gathering_.symbol(callee)]);
}

/// Whether who gets the object takes what is in it: the library, and the class itself. Other
/// functions of the program may leave it where it is.
bool MovedObjects::knows_move(tree callee, tree object) const {
    return class_of(callee) == TYPE_MAIN_VARIANT(TREE_TYPE(object)) || is_of_library(callee);
}

/// The object whose address the operand is, be it by std::move(); null: not one of the function.
tree MovedObjects::object_at(tree operand) const {
    for (int depth = 0; depth < kMostMoves && operand != NULL_TREE; ++depth) {
        operand = strip(operand);
        if (TREE_CODE(operand) == ADDR_EXPR) {
            const tree object = TREE_OPERAND(operand, 0);
            return is_object(object) ? object : NULL_TREE;
        }
        const Located* made = is_pointer_name(operand) ? values_.only_definition(operand) : nullptr;
        if (made == nullptr) return NULL_TREE;
        if (is_gimple_call(made->statement)) {
            const tree callee = gimple_call_fndecl(made->statement);
            const bool is_on = callee != NULL_TREE && returns_rvalue(callee) &&
                               gimple_call_num_args(made->statement) == 1;
            operand = is_on ? gimple_call_arg(made->statement, 0) : NULL_TREE;
        } else {
            operand = is_copying(made->statement) ? gimple_assign_rhs1(made->statement) : NULL_TREE;
        }
    }
    return NULL_TREE;
}

/// Of what std::move() hands on: whether it is a static variable, a member, or an element of a
/// container of the library.
bool MovedObjects::is_elsewhere(tree operand) const {
    for (int depth = 0; depth < kMostMoves && operand != NULL_TREE; ++depth) {
        operand = strip(operand);
        if (TREE_CODE(operand) == ADDR_EXPR) {
            const tree object = TREE_OPERAND(operand, 0);
            const bool is_static = VAR_P(object) && is_global_var(object);
            return is_static ||
                   (TREE_CODE(object) == COMPONENT_REF && !is_field_of_function(object));
        }
        const Located* made = is_pointer_name(operand) ? values_.only_definition(operand) : nullptr;
        if (made == nullptr) return false;
        if (!is_gimple_call(made->statement)) {
            operand = is_copying(made->statement) ? gimple_assign_rhs1(made->statement) : NULL_TREE;
            continue;
        }
        const tree callee = gimple_call_fndecl(made->statement);
        if (callee == NULL_TREE || gimple_call_num_args(made->statement) == 0) return false;
        if (!returns_rvalue(callee)) return is_of_library(callee);
        operand = gimple_call_arg(made->statement, 0);
    }
    return false;
}

void MovedObjects::add_move(gimple* call, tree object, bool is_emptied) {
    Object& known = objects_[object];
    known.moves.push_back(call);
    known.is_emptied = known.is_emptied && is_emptied;
    handed_.emplace(call, object);
}

void MovedObjects::note_moves(gimple* call) {
    const tree callee = gimple_call_fndecl(call);
    if (returns_rvalue(callee)) return;
    unsigned position = 0;
    for (tree type = TYPE_ARG_TYPES(TREE_TYPE(callee)); type != NULL_TREE;
         type = TREE_CHAIN(type), ++position) {
        if (position >= gimple_call_num_args(call)) return;
        if (!is_rvalue_of_class(TREE_VALUE(type))) continue;
        const tree object = object_at(gimple_call_arg(call, position));
        const bool is_assignment = declared_name(callee) == "operator=";
        if (object == NULL_TREE) {
            const bool is_other = is_assignment && is_elsewhere(gimple_call_arg(call, position));
            if (is_other) from_elsewhere_.emplace(call, true);
            continue;
        }
        if (!knows_move(callee, object)) continue;
        const bool is_emptied = !is_assignment || is_of_library(callee);
        add_move(call, object, is_emptied);
    }
}

/// Of a smart pointer: reset(pointer) takes what that points to, and release() gives it away.
void MovedObjects::note_reset(gimple* call) {
    const tree callee = gimple_call_fndecl(call);
    const tree class_type = class_of(callee);
    if (class_type == NULL_TREE || !is_smart_pointer(class_type)) return;
    if (declared_name(callee) == "release") {
        const tree object = object_at(gimple_call_arg(call, 0));
        if (object != NULL_TREE) add_move(call, object, true);
        return;
    }
    if (declared_name(callee) != "reset" || gimple_call_num_args(call) < 2) return;
    const tree pointer = gimple_call_arg(call, 1);
    if (is_pointer_name(pointer)) handed_.emplace(call, pointer);
}

/// What puts something into objects that are moved.
void MovedObjects::collect_fills() {
    for (auto& [object, known] : objects_) {
        const VariableUse* use = source_.use_of(object);
        if (use == nullptr) continue;
        for (const Located& at : use->definitions)
            known.fills.push_back(at.statement);
        for (const Located& at : use->handed_over) {
            const tree callee = gimple_call_fndecl(at.statement);
            if (callee == NULL_TREE || !is_address_of(gimple_call_arg(at.statement, 0), object))
                continue;
            const std::string_view name = declared_name(callee);
            const bool is_empty_pointer =
                gimple_call_num_args(at.statement) == 1 && is_smart_pointer(TREE_TYPE(object));
            const bool fills = (DECL_CXX_CONSTRUCTOR_P(callee) && !is_empty_pointer) ||
                               name == "operator=" || name == "reset" || name == "emplace" ||
                               name == "swap";
            if (fills) known.fills.push_back(at.statement);
        }
    }
}

/// Where that comes from what is in the object, or what the pointer is for: an object that nothing
/// has been moved into, or a pointer. Null: that can't be told.
tree MovedObjects::content_of(tree object, int depth) const {
    if (depth <= 0) return NULL_TREE;
    if (is_object(object)) {
        const auto known = objects_.find(object);
        if (known == objects_.end() || known->second.fills.size() != 1) return object;
        return content_behind(known->second.fills.front(), object, depth - 1);
    }
    if (!is_pointer_name(object)) return NULL_TREE;
    const Located* made = values_.only_definition(object);
    if (made == nullptr) return NULL_TREE;
    if (!is_gimple_call(made->statement)) {
        return is_copying(made->statement)
                   ? content_of(strip(gimple_assign_rhs1(made->statement)), depth - 1)
                   : NULL_TREE;
    }
    const auto released = handed_.find(made->statement);
    return released == handed_.end() ? object : content_of(released->second, depth - 1);
}

tree MovedObjects::content_behind(gimple* fill, tree object, int depth) const {
    if (!is_gimple_call(fill)) return object;
    const auto moved = handed_.find(fill);
    if (moved != handed_.end())
        return moved->second == object ? object : content_of(moved->second, depth);
    const bool is_pointer = is_smart_pointer(TREE_TYPE(object)) && gimple_call_num_args(fill) > 1 &&
                            is_pointer_name(gimple_call_arg(fill, 1));
    const tree pointed = is_pointer ? content_of(gimple_call_arg(fill, 1), depth) : NULL_TREE;
    return pointed == NULL_TREE ? object : pointed;
}

/// Of a call that makes what is moved, or does something with it.
void MovedObjects::note_parts(gimple* call) {
    const tree callee = gimple_call_fndecl(call);
    if (callee == NULL_TREE) return;
    if (DECL_CXX_DESTRUCTOR_P(callee)) {
        note_destructor(call, callee);
        return;
    }
    const auto number_of = [this](tree object) {
        const tree content = object == NULL_TREE ? NULL_TREE : content_of(object, kMostMoves);
        const auto found = content == NULL_TREE ? numbers_.end() : numbers_.find(content);
        return found == numbers_.end() ? 0 : found->second;
    };
    std::uint32_t number = 0;
    const tree left = gimple_call_lhs(call);
    if (left != NULL_TREE && (is_object(left) || is_pointer_name(left))) number = number_of(left);
    if (number == 0 && gimple_call_num_args(call) > 0) {
        const tree first = strip(gimple_call_arg(call, 0));
        const tree object = object_at(first);
        number = number_of(object == NULL_TREE && is_pointer_name(first) ? first : object);
    }
    if (number != 0) users_.emplace(call, number);
}

void MovedObjects::note_destructor(gimple* call, tree callee) {
    const tree argument = gimple_call_arg(call, 0);
    const tree object = TREE_CODE(argument) == ADDR_EXPR ? TREE_OPERAND(argument, 0) : NULL_TREE;
    const auto known = object == NULL_TREE ? objects_.end() : objects_.find(object);
    if (known == objects_.end()) return;
    Leftover leftover;
    leftover.moves = known->second.moves;
    leftover.fills = known->second.fills;
    leftover.is_emptied = known->second.is_emptied;
    leftover.is_nothing = is_smart_pointer(class_of(callee));
    leftover.is_sure = DECL_ARTIFICIAL(object) && known->second.fills.size() <= 1;
    leftovers_.emplace(call, std::move(leftover));
    const tree content = content_of(object, kMostMoves);
    const auto number = content == NULL_TREE ? numbers_.end() : numbers_.find(content);
    if (number != numbers_.end()) users_.emplace(call, number->second);
}

void MovedObjects::note(const LocatedCall& at, Step& step) const {
    const auto sparing = sparing_.find(at.call);
    const auto used = users_.find(at.call);
    step.spares_moved = sparing != sparing_.end() || from_elsewhere_.contains(at.call);
    if (sparing != sparing_.end()) {
        step.moved = sparing->second;
    } else if (used != users_.end()) {
        step.moved = used->second;
    }
}

const MovedObjects::Leftover* MovedObjects::leftover_of(const gimple* call) const {
    const auto found = leftovers_.find(call);
    return found == leftovers_.end() ? nullptr : &found->second;
}

bool MovedObjects::is_left(const Leftover& leftover, basic_block block) {
    if (leftover.is_sure) return true;
    return std::ranges::any_of(leftover.moves, [&](gimple* move) {
        basic_block at = gimple_bb(move);
        return at != nullptr && dominated_by_p(CDI_DOMINATORS, block, at) &&
               std::ranges::all_of(leftover.fills, [&](gimple* fill) {
                   basic_block before = gimple_bb(fill);
                   return before != nullptr && dominated_by_p(CDI_DOMINATORS, at, before);
               });
    });
}

bool destroys_nothing(tree function, tree callee) {
    if (callee == NULL_TREE) return false;
    const std::string_view called = declared_name(callee);
    if (called == "destroy" || called == "_Destroy") {
        const std::string_view name = declared_name(function);
        return name == "_M_realloc_insert" || name == "__relocate_object_a" ||
               name == "_M_default_append" || name == "reserve";
    }
    const tree class_type = DECL_CXX_DESTRUCTOR_P(callee) ? class_of(callee) : NULL_TREE;
    if (class_type == NULL_TREE) return false;
    return name_of_type(class_type) == "_Auto_node" || name_of_type(class_type) == "_Scoped_node";
}

}  // namespace mqinspect::thread_level::plugin
