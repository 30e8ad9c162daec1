/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the member or element at an offset of a global object, by its type. */
#include "trace/objects.h"

#include <dwarf.h>
#include <stdbool.h>
#include <string.h>

#include "base/id.h"

/* Structures inside structures, at most. */
#define MAX_DEPTH 16

/* ---- finding the variable ---- */

static const char *linker_name(Dwarf_Die *die)
{
    Dwarf_Attribute attr;
    return dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attr));
}

/* True if this is its name or its linker symbol. */
static bool is_named(Dwarf_Die *die, const char *name)
{
    const char *have = dwarf_diename(die), *symbol = linker_name(die);
    return (have && strcmp(have, name) == 0) || (symbol && strcmp(symbol, name) == 0);
}

static uint64_t hash_of(const char *name)
{
    return td_id_hash(name, strlen(name)).lo;
}

/* The first variable of a name counts. */
static void know(trc_variables *all, const char *name, Dwarf_Die *die)
{
    size_t before = all->by_name.len;
    Dwarf_Off *at = name ? trc_variable_map_at(&all->by_name, hash_of(name)) : NULL;
    if (all->by_name.len > before)
        *at = dwarf_dieoffset(die);
}

/* Adds the variables of the unit and of its namespaces; in namespaces, by symbol only. */
static void know_scope(trc_variables *all, Dwarf_Die *scope, int depth)
{
    Dwarf_Die at;
    if (depth > MAX_DEPTH || dwarf_child(scope, &at) != 0)
        return;
    do {
        int tag = dwarf_tag(&at);
        if (tag == DW_TAG_namespace)
            know_scope(all, &at, depth + 1);
        if (tag != DW_TAG_variable || !dwarf_hasattr_integrate(&at, DW_AT_type))
            continue;
        know(all, linker_name(&at), &at);
        if (depth == 0)
            know(all, dwarf_diename(&at), &at);
    } while (dwarf_siblingof(&at, &at) == 0);
}

static void read_variables(trc_variables *all, Dwarf *dwarf)
{
    Dwarf_Off at = 0, next;
    size_t head;
    all->is_read = true;
    while (dwarf_nextcu(dwarf, at, &next, &head, NULL, NULL, NULL) == 0) {
        Dwarf_Die unit;
        if (dwarf_offdie(dwarf, at + head, &unit))
            know_scope(all, &unit, 0);
        at = next;
    }
}

/* ---- types ---- */

static bool type_of(Dwarf_Die *die, Dwarf_Die *out)
{
    Dwarf_Attribute attr;
    return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attr), out) != NULL;
}

/* Removes names and qualifiers; false for a type of the threads library, which is one thing to
 * its user. */
static bool peel(Dwarf_Die *type)
{
    for (int i = 0; i < MAX_DEPTH; i++) {
        int tag = dwarf_tag(type);
        const char *name = dwarf_diename(type);
        if (tag == DW_TAG_typedef && name && strncmp(name, "pthread_", 8) == 0)
            return false;
        bool layer = tag == DW_TAG_typedef || tag == DW_TAG_const_type ||
                     tag == DW_TAG_volatile_type || tag == DW_TAG_atomic_type;
        if (!layer)
            return true;
        Dwarf_Die inner;
        if (!type_of(type, &inner))
            return false;
        *type = inner;
    }
    return false;
}

/* One step into the type; false where it has no parts. */
static bool enter_array(Dwarf_Die *type, uint64_t *offset, td_text *out)
{
    Dwarf_Die element;
    Dwarf_Word size = 0;
    if (!type_of(type, &element) || dwarf_aggregate_size(&element, &size) != 0 ||
        size == 0)
        return false;
    td_text_add(out, "[%llu]", (unsigned long long)(*offset / size));
    *offset %= size;
    *type = element;
    return true;
}

static bool member_offset(Dwarf_Die *member, uint64_t *out)
{
    Dwarf_Attribute attr;
    Dwarf_Word at;
    if (dwarf_formudata(dwarf_attr(member, DW_AT_data_member_location, &attr), &at) != 0)
        return false;
    *out = at;
    return true;
}

/* The member, or base class, with the highest start that is at most the offset. */
static bool enter_struct(Dwarf_Die *type, uint64_t *offset, td_text *out)
{
    Dwarf_Die member, best;
    uint64_t start = 0, at;
    bool found = false;
    if (dwarf_child(type, &member) != 0)
        return false;
    do {
        bool is_base = dwarf_tag(&member) == DW_TAG_inheritance;
        if ((is_base || dwarf_tag(&member) == DW_TAG_member) &&
            member_offset(&member, &at) && at <= *offset &&
            (!found || at > start || (at == start && !is_base))) {
            best = member;
            start = at;
            found = true;
        }
    } while (dwarf_siblingof(&member, &member) == 0);
    if (!found || !type_of(&best, type))
        return false;
    if (dwarf_diename(&best))
        td_text_add(out, ".%s", dwarf_diename(&best));
    *offset -= start;
    return true;
}

static bool enter(Dwarf_Die *type, uint64_t *offset, td_text *out)
{
    if (!peel(type))
        return false;
    switch (dwarf_tag(type)) {
    case DW_TAG_array_type:
        return enter_array(type, offset, out);
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
        return enter_struct(type, offset, out);
    default:
        return false;
    }
}

/* Determines how values of the type are printed; false if it is not a number or pointer. */
static bool value_type(Dwarf_Die *type, uint32_t *out)
{
    static const uint32_t by_encoding[] = {
        [DW_ATE_boolean] = WIRE_TYPE_BOOL,
        [DW_ATE_float] = WIRE_TYPE_FLOAT,
        [DW_ATE_signed] = WIRE_TYPE_SIGNED,
        [DW_ATE_unsigned] = WIRE_TYPE_UNSIGNED,
        [DW_ATE_signed_char] = WIRE_TYPE_CHAR,
        [DW_ATE_unsigned_char] = WIRE_TYPE_UNSIGNED,
    };
    Dwarf_Attribute attr;
    Dwarf_Word encoding;
    *out = WIRE_TYPE_UNKNOWN;
    switch (dwarf_tag(type)) {
    case DW_TAG_pointer_type:
        *out = WIRE_TYPE_POINTER;
        return true;
    case DW_TAG_enumeration_type:
        return true;
    case DW_TAG_base_type:
        if (dwarf_formudata(dwarf_attr(type, DW_AT_encoding, &attr), &encoding) == 0 &&
            encoding < sizeof by_encoding / sizeof by_encoding[0])
            *out = by_encoding[encoding];
        return true;
    default:
        return false;
    }
}

static void part_of(Dwarf_Die *type, uint64_t offset, trc_part *out)
{
    Dwarf_Word size;
    if (peel(type) && value_type(type, &out->type) &&
        dwarf_aggregate_size(type, &size) == 0 && size <= 8 && offset <= UINT32_MAX) {
        out->size = (uint32_t)size;
        out->offset = (uint32_t)offset;
    }
}

trc_variable trc_variable_find(trc_variables *all, Dwarf *dwarf, const char *name)
{
    Dwarf_Die die;
    if (dwarf && !all->is_read)
        read_variables(all, dwarf);
    const Dwarf_Off *at = trc_variable_map_find(&all->by_name, hash_of(name));
    if (!at || !dwarf_offdie(dwarf, *at, &die) || !is_named(&die, name))
        return (trc_variable){.state = TRC_VARIABLE_NONE};
    return (trc_variable){TRC_VARIABLE_FOUND, *at};
}

void trc_variables_fini(trc_variables *all)
{
    trc_variable_map_fini(&all->by_name);
}

void trc_object_path(Dwarf *dwarf, trc_variable variable, uint64_t offset, td_text *out,
                     trc_part *part)
{
    Dwarf_Die die, type;
    bool is_known = variable.state == TRC_VARIABLE_FOUND &&
                    dwarf_offdie(dwarf, variable.at, &die) != NULL;
    if (is_known && type_of(&die, &type)) {
        size_t whole = offset == 0 ? out->len : 0;
        for (int i = 0; i < MAX_DEPTH && enter(&type, &offset, out); i++)
            whole = whole == 0 && offset == 0 ? out->len : whole;
        if (part) {
            part_of(&type, offset, part);
            part->whole = (uint32_t)whole;
        }
    }
    if (offset > 0)
        td_text_add(out, "+%llu", (unsigned long long)offset);
}
