/* SPDX-License-Identifier: Apache-2.0 */
/* treadle.hpp - treadle.h for C++17 and newer: typed inputs, and operations of structures that end with their scope.
 *
 *     int n = treadle::any<int>("n");            an input of any type that can be copied byte by byte
 *     auto n = treadle::any<int>("n", 0, 9);     one from 0 to 9: other values end the program quietly
 *
 *     bool put(int k)
 *     {
 *         treadle::operation op(this, "put", k);     an operation of *this starts; up to 4 arguments
 *         ...
 *         return op.result(done);                    what it returns; it ends with the scope
 *     }
 *
 * Without treadle they do what the functions of treadle.h do.
 */
#ifndef TREADLE_HPP
#define TREADLE_HPP

#include <treadle.h>

#include <type_traits>

namespace treadle {

template <typename T> T any(const char *name)
{
    static_assert(std::is_trivially_copyable<T>::value && std::is_default_constructible<T>::value,
                  "an input is copied byte by byte");
    if constexpr (std::is_same<T, bool>::value)
        return treadle_bool(name);
    else {
        T value;
        treadle_symbolic(&value, sizeof value, name);
        return value;
    }
}

template <typename T> T any(const char *name, T least, T most)
{
    T value = any<T>(name);
    treadle_assume(!(value < least) && !(most < value));
    return value;
}

class operation {
  public:
    template <typename... Args>
    explicit operation(const volatile void *object, const char *name, Args... args) : object_(object)
    {
        static_assert(sizeof...(args) <= 4, "an operation has at most 4 arguments");
        const uint64_t all[5] = {TREADLE_U64(args)...};
        treadle_op_begin_args(object, name, sizeof...(args), all[0], all[1], all[2], all[3]);
    }
    operation(const operation &) = delete;
    operation &operator=(const operation &) = delete;
    ~operation() { treadle_op_end_result(object_, n_, result_); }

    /* What the operation returns. */
    template <typename T> T result(T value)
    {
        result_ = TREADLE_U64(value);
        n_ = 1;
        return value;
    }

  private:
    const volatile void *object_;
    unsigned int n_ = 0;
    uint64_t result_ = 0;
};

} // namespace treadle

#endif
