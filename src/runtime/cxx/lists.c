/* SPDX-License-Identifier: Apache-2.0 */
/* Links of std::list. A list is a circle through its own node, which has no element. */
#include "runtime/cxx/cxx_int.h"

typedef struct list_node list_node;
struct list_node {
    list_node *next, *before;
};

/* Both behind each other. */
static void link_nodes(list_node *a, list_node *b)
{
    a->next = b;
    b->before = a;
}

void hook(list_node *n, list_node *at)
    CXX_NAME("_ZNSt8__detail15_List_node_base7_M_hookEPS0_");
void hook(list_node *n, list_node *at)
{
    link_nodes(at->before, n);
    link_nodes(n, at);
}

void unhook(list_node *n) CXX_NAME("_ZNSt8__detail15_List_node_base9_M_unhookEv");
void unhook(list_node *n)
{
    link_nodes(n->before, n->next);
}

/* The nodes from first up to last, of any list, come before n. */
void transfer(list_node *n, list_node *first, list_node *last)
    CXX_NAME("_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_");
void transfer(list_node *n, list_node *first, list_node *last)
{
    if (n == last)
        return;
    list_node *newest = last->before, *before = n->before;
    link_nodes(first->before, last);
    link_nodes(before, first);
    link_nodes(newest, n);
}

void reverse(list_node *head) CXX_NAME("_ZNSt8__detail15_List_node_base10_M_reverseEv");
void reverse(list_node *head)
{
    list_node *n = head;
    do {
        list_node *next = n->next;
        n->next = n->before;
        n->before = next;
        n = next;
    } while (n != head);
}

/* Moves the nodes of one list into another one. */
static void move_all(list_node *to, list_node *first, list_node *last)
{
    link_nodes(to, first);
    link_nodes(last, to);
}

void swap_lists(list_node *a, list_node *b)
    CXX_NAME("_ZNSt8__detail15_List_node_base4swapERS0_S1_");
void swap_lists(list_node *a, list_node *b)
{
    list_node was_a = *a, was_b = *b;
    if (was_b.next != b)
        move_all(a, was_b.next, was_b.before);
    else
        link_nodes(a, a);
    if (was_a.next != a)
        move_all(b, was_a.next, was_a.before);
    else
        link_nodes(b, b);
}
