/* SPDX-License-Identifier: Apache-2.0
 * tbb::spin_rw_mutex: a writer, and a reader that becomes a writer. */
#include <cassert>
#include <tbb/spin_rw_mutex.h>
#include <thread>

int main()
{
    tbb::spin_rw_mutex m;
    int a = 0, b = 0;
    std::thread writer([&] {
        tbb::spin_rw_mutex::scoped_lock lock(m, true);
        a++, b++;
    });
    {
        tbb::spin_rw_mutex::scoped_lock lock(m, false);
        assert(a == b);
        lock.upgrade_to_writer();
        a++, b++;
    }
    writer.join();
    assert(a == 2 && b == 2);
}
