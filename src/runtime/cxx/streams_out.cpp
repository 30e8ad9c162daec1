// SPDX-License-Identifier: Apache-2.0
/* Output: streams of char, how numbers are printed, and what std::cout and its kin print to. */
#include <ext/stdio_sync_filebuf.h>
#include <iomanip>
#include <iostream>

template class __gnu_cxx::stdio_sync_filebuf<char>;

/* What a stream looks for when it first needs it, the letter that it fills with and how numbers are written, is there
 * before threads are: to look twice changes nothing, and would be a data race, or a lock that all of them take. */
static bool look_first()
{
    std::__use_cache<std::__numpunct_cache<char>>()(std::locale::classic());
    return std::cout.fill() == std::cerr.fill() && std::cout.fill() == std::clog.fill();
}

[[maybe_unused]] static const bool have_looked = look_first();

namespace std
{
/* How many letters one buffer had for the other; in_ended: it has no more. By hand in libstdc++, for char. */
template <>
streamsize __copy_streambufs_eof(basic_streambuf<char> *in, basic_streambuf<char> *out, bool &in_ended)
{
    const int end = char_traits<char>::eof();
    streamsize n = 0;
    in_ended = true;
    for (int c = in->sgetc(); in_ended && c != end; c = in_ended ? in->snextc() : c) {
        in_ended = out->sputc(char_traits<char>::to_char_type(c)) != end;
        n += in_ended;
    }
    return n;
}

template class basic_ios<char>;
template class basic_streambuf<char>;
template class num_put<char>;
template class basic_ostream<char>;
template ostream &endl(ostream &);
template ostream &ends(ostream &);
template ostream &flush(ostream &);
template ostream &operator<<(ostream &, char);
template ostream &operator<<(ostream &, unsigned char);
template ostream &operator<<(ostream &, signed char);
template ostream &operator<<(ostream &, const char *);
template ostream &operator<<(ostream &, const unsigned char *);
template ostream &operator<<(ostream &, const signed char *);
template ostream &operator<<(ostream &, _Setfill<char>);
template ostream &operator<<(ostream &, _Setiosflags);
template ostream &operator<<(ostream &, _Resetiosflags);
template ostream &operator<<(ostream &, _Setbase);
template ostream &operator<<(ostream &, _Setprecision);
template ostream &operator<<(ostream &, _Setw);
template ostream &__ostream_insert(ostream &, const char *, streamsize);
template ostream &ostream::_M_insert(long);
template ostream &ostream::_M_insert(unsigned long);
template ostream &ostream::_M_insert(bool);
template ostream &ostream::_M_insert(long long);
template ostream &ostream::_M_insert(unsigned long long);
template ostream &ostream::_M_insert(double);
template ostream &ostream::_M_insert(long double);
template ostream &ostream::_M_insert(const void *);
} // namespace std
