// SPDX-License-Identifier: Apache-2.0
/* Input: streams of char, and how numbers are read. What libstdc++ has written by hand for char is written again,
 * letter by letter. */
#include <cxxabi.h>
#include <iomanip>
#include <istream>
#include <limits>
#include <string>

namespace
{
using letters = std::char_traits<char>;

const int END = letters::eof();

/* Calls read() for a stream that is ready; what it returns, and an exception of the buffer, becomes the state. */
template <typename read>
void take(std::istream &in, bool keeps_spaces, read what)
{
    std::istream::sentry ready(in, keeps_spaces);
    if (!ready)
        return;
    std::ios_base::iostate state = std::ios_base::goodbit;
    try {
        state = what();
    } catch (abi::__forced_unwind &) {
        in._M_setstate(std::ios_base::badbit);
        throw;
    } catch (...) {
        in._M_setstate(std::ios_base::badbit);
    }
    if (state)
        in.setstate(state);
}
} // namespace

namespace std
{
template <>
istream &getline(istream &in, string &text, char delimiter)
{
    bool any = false;
    auto read = [&] {
        text.erase();
        for (int c = in.rdbuf()->sgetc();; c = in.rdbuf()->snextc()) {
            if (c == END)
                return any ? ios_base::eofbit : ios_base::eofbit | ios_base::failbit;
            any = true;
            if (letters::to_char_type(c) == delimiter) {
                in.rdbuf()->sbumpc();
                return ios_base::goodbit;
            }
            if (text.size() == text.max_size())
                return ios_base::failbit;
            text.push_back(letters::to_char_type(c));
        }
    };
    take(in, true, read);
    return in;
}

template <>
istream &operator>>(istream &in, string &text)
{
    auto read = [&] {
        const ctype<char> &kinds = use_facet<ctype<char>>(in.getloc());
        size_t most = in.width() > 0 ? size_t(in.width()) : text.max_size();
        ios_base::iostate state = ios_base::goodbit;
        text.erase();
        for (int c = in.rdbuf()->sgetc(); text.size() < most; c = in.rdbuf()->snextc()) {
            if (c == END)
                state |= ios_base::eofbit;
            if (c == END || kinds.is(ctype_base::space, letters::to_char_type(c)))
                break;
            text.push_back(letters::to_char_type(c));
        }
        if (in.width() != 0)
            in.width(0);
        return text.empty() ? state | ios_base::failbit : state;
    };
    take(in, false, read);
    return in;
}

template <>
istream &istream::getline(char *to, streamsize size, char delimiter)
{
    streamsize n = 0;
    _M_gcount = 0;
    auto read = [&] {
        for (int c = rdbuf()->sgetc();; c = rdbuf()->snextc()) {
            if (c == END)
                return _M_gcount > 0 ? ios_base::eofbit : ios_base::eofbit | ios_base::failbit;
            if (letters::to_char_type(c) == delimiter) {
                rdbuf()->sbumpc();
                _M_gcount++;
                return ios_base::goodbit;
            }
            if (n + 1 >= size)
                return ios_base::failbit;
            to[n++] = letters::to_char_type(c);
            _M_gcount++;
        }
    };
    take(*this, true, read);
    if (size > 0)
        to[n] = 0;
    return *this;
}

template <>
istream &istream::ignore(streamsize n, int delimiter)
{
    const streamsize most = numeric_limits<streamsize>::max();
    _M_gcount = 0;
    auto read = [&] {
        for (streamsize i = 0; n == most || i < n; i++) {
            int c = rdbuf()->sbumpc();
            if (c == END)
                return ios_base::eofbit;
            if (_M_gcount < most)
                _M_gcount++;
            if (c == delimiter)
                break;
        }
        return ios_base::goodbit;
    };
    take(*this, true, read);
    return *this;
}

template <>
istream &istream::ignore(streamsize n)
{
    return ignore(n, END);
}

template class num_get<char>;
template class basic_istream<char>;
template class basic_iostream<char>;
template istream &ws(istream &);
template istream &operator>>(istream &, char &);
template istream &operator>>(istream &, unsigned char &);
template istream &operator>>(istream &, signed char &);
template istream &operator>>(istream &, _Setfill<char>);
template istream &operator>>(istream &, _Setiosflags);
template istream &operator>>(istream &, _Resetiosflags);
template istream &operator>>(istream &, _Setbase);
template istream &operator>>(istream &, _Setprecision);
template istream &operator>>(istream &, _Setw);
template istream &istream::_M_extract(unsigned short &);
template istream &istream::_M_extract(unsigned int &);
template istream &istream::_M_extract(long &);
template istream &istream::_M_extract(unsigned long &);
template istream &istream::_M_extract(bool &);
template istream &istream::_M_extract(long long &);
template istream &istream::_M_extract(unsigned long long &);
template istream &istream::_M_extract(float &);
template istream &istream::_M_extract(double &);
template istream &istream::_M_extract(long double &);
template istream &istream::_M_extract(void *&);
} // namespace std
