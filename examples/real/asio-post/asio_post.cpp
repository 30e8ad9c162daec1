/* SPDX-License-Identifier: Apache-2.0
 * asio without sockets: a thread runs what is posted before and meanwhile; main runs the rest. */
#include <asio.hpp>
#include <cassert>
#include <thread>

int main()
{
    asio::io_context io(1);
    int done = 0;
    asio::post(io, [&done] { done++; });
    std::thread other([&io] { io.run(); });
    asio::post(io, [&done] { done++; });
    other.join();
    io.restart();
    io.run();
    assert(done == 2);
}
