/* SPDX-License-Identifier: Apache-2.0 */
/* Names of C++: symbols as the linker has them, and what reports make of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/readable.h"
#include "base/vec.h"

static void check(void (*make)(const char *, td_text *), const char *from, const char *to)
{
    td_text out = {0};
    make(from, &out);
    assert_string_equal(out.len > 0 ? out.at : "", to);
    td_text_fini(&out);
}

static void test_symbols(void **state)
{
    static const char *const rows[][2] = {
        {"_ZN4bank4takeEi", "bank::take"},
        {"_ZNK4bank5emptyEv", "bank::empty"},
        {"_ZNSt6vectorIiSaIiEE9push_backEOi", "std::vector<int>::push_back"},
        {"_ZNSt3mapIiiSt4lessIiESaISt4pairIKiiEEEixERS3_",
         "std::map<int, int>::operator[]"},
        {"_ZNSt3__15dequeINS_12basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEEENS4_"
         "IS6_EEE9push_backERKS6_",
         "std::deque<std::string>::push_back"},
        {"_ZNSt5dequeINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEESaIS5_EE9push_"
         "backEOS5_",
         "std::deque<std::string>::push_back"},
        {"_ZNSt12__shared_ptrI7accountLN9__gnu_cxx12_Lock_policyE2EE5resetEv",
         "std::shared_ptr<account>::reset"},
        {"_ZNKSt4lessIiEclERKiS2_", "std::less<int>::operator()"},
        {"_ZlsRSoRK4bank", "operator<<"},
        {"_ZN4bankneERKS_", "bank::operator!="},
        {"_ZN4bankmiEv", "bank::operator-"},
        {"_ZN4bankptEv", "bank::operator->"},
        {"_ZTV4bank", "vtable for bank"},
        {"_ZGVZ4mainE3log", "guard variable for main::log"},
        {"_ZN12_GLOBAL__N_14helpEv", "help"},
        {"_Z4sortIPiEvT_S1_", "sort<int*>"},
        {"_ZN4bankD1Ev", "bank::~bank"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check(td_readable, rows[i][0], rows[i][1]);
}

/* Long lists of template arguments say nothing; a space in a return type does not end the name. */
static void test_long(void **state)
{
    check(td_readable,
          "_ZNSt13unordered_mapIN4bank7accountENS0_9customersESt4hashIS1_ESt8equal_toIS1_"
          "ESaISt4pairIKS1_S2_EEE5clearEv",
          "std::unordered_map<...>::clear");
    check(td_readable, "_Z5firstIiERKT_RKSt6vectorIS0_SaIS0_EE", "first<int>");
    /* std::condition_variable::wait<Pool::loop()::{lambda()#1}>(...) */
    check(
        td_readable,
        "_ZNSt18condition_variable4waitIZN4Pool4loopEvEUlvE_EEvRSt11unique_lockISt5mutex"
        "ET_",
        "std::condition_variable::wait<Pool::loop()::lambda>");
}

/* Symbols stand in texts, with members behind them; what is none stays. */
static void test_texts(void **state)
{
    check(td_readable, "", "");
    check(td_readable, "balance", "balance");
    check(td_readable, "_Z", "_Z");
    check(td_readable, "_Zebra", "_Zebra");
    check(td_readable, "a_ZN4bank4takeEi", "a_ZN4bank4takeEi");
    check(td_readable, "_ZN4bank5totalE.low", "bank::total.low");
    check(td_readable, "*_ZN4bank5totalE", "*bank::total");
    check(td_readable, "_ZN4bank1aE and _ZN4bank1bE", "bank::a and bank::b");
}

static void test_names(void **state)
{
    check(td_readable_name,
          "emplace_back<std::__cxx11::basic_string<char, std::char_traits<char>, "
          "std::allocator<char> > >",
          "emplace_back<std::string>");
    check(td_readable_name, "operator<", "operator<");
    check(td_readable_name, "operator<=>", "operator<=>");
    check(td_readable_name, "put<int>", "put<int>");
    check(td_readable_name, "std::unique_ptr<int, std::default_delete<int> >::reset",
          "std::unique_ptr<int>::reset");
    check(td_readable_name, "", "");
}

/* Bytes of the program: no symbol is too long or too wrong. */
static void test_wrong(void **state)
{
    td_text text = {0}, out = {0};
    td_text_add(&text, "_ZN");
    for (int i = 0; i < 3000; i++)
        td_text_add(&text, "4bank");
    td_readable(text.at, &out);
    assert_string_equal(out.at, text.at); /* it does not end */
    static const char *const wrong[] = {"_ZN",          "_ZN4ban", "_ZNSt6vectorIiSa",
                                        "_Z999999999a", "<<<<",    ">>>>",
                                        "((((",         "a<b",     "_ZN1aIL",
                                        "operator"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        td_text_clear(&out);
        td_readable(wrong[i], &out);
        td_readable_name(wrong[i], &out);
    }
    td_text_fini(&text);
    td_text_fini(&out);
}

static void test_kept(void **state)
{
    char *kept = NULL;
    assert_string_equal(td_readable_kept("_ZN4bank4takeEi", &kept), "bank::take");
    const char *first = kept;
    assert_ptr_equal(td_readable_kept("_ZN4bank4takeEi", &kept), first);
    td_free(kept);
    kept = NULL;
    assert_string_equal(td_readable_kept("main", &kept), "main");
    assert_null(kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_symbols), cmocka_unit_test(test_long),
        cmocka_unit_test(test_texts),   cmocka_unit_test(test_names),
        cmocka_unit_test(test_wrong),   cmocka_unit_test(test_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
