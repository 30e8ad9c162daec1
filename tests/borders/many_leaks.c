/* SPDX-License-Identifier: Apache-2.0 */
/* Seventy places that leak in one run: each is found.
 * treadle: -k --leaks
 * expect: verdict bug
 * expect: finding leak many_leaks.c:81
 * expect: finding leak many_leaks.c:82
 * expect: finding leak many_leaks.c:83
 * expect: finding leak many_leaks.c:84
 * expect: finding leak many_leaks.c:85
 * expect: finding leak many_leaks.c:86
 * expect: finding leak many_leaks.c:87
 * expect: finding leak many_leaks.c:88
 * expect: finding leak many_leaks.c:89
 * expect: finding leak many_leaks.c:90
 * expect: finding leak many_leaks.c:91
 * expect: finding leak many_leaks.c:92
 * expect: finding leak many_leaks.c:93
 * expect: finding leak many_leaks.c:94
 * expect: finding leak many_leaks.c:95
 * expect: finding leak many_leaks.c:96
 * expect: finding leak many_leaks.c:97
 * expect: finding leak many_leaks.c:98
 * expect: finding leak many_leaks.c:99
 * expect: finding leak many_leaks.c:100
 * expect: finding leak many_leaks.c:101
 * expect: finding leak many_leaks.c:102
 * expect: finding leak many_leaks.c:103
 * expect: finding leak many_leaks.c:104
 * expect: finding leak many_leaks.c:105
 * expect: finding leak many_leaks.c:106
 * expect: finding leak many_leaks.c:107
 * expect: finding leak many_leaks.c:108
 * expect: finding leak many_leaks.c:109
 * expect: finding leak many_leaks.c:110
 * expect: finding leak many_leaks.c:111
 * expect: finding leak many_leaks.c:112
 * expect: finding leak many_leaks.c:113
 * expect: finding leak many_leaks.c:114
 * expect: finding leak many_leaks.c:115
 * expect: finding leak many_leaks.c:116
 * expect: finding leak many_leaks.c:117
 * expect: finding leak many_leaks.c:118
 * expect: finding leak many_leaks.c:119
 * expect: finding leak many_leaks.c:120
 * expect: finding leak many_leaks.c:121
 * expect: finding leak many_leaks.c:122
 * expect: finding leak many_leaks.c:123
 * expect: finding leak many_leaks.c:124
 * expect: finding leak many_leaks.c:125
 * expect: finding leak many_leaks.c:126
 * expect: finding leak many_leaks.c:127
 * expect: finding leak many_leaks.c:128
 * expect: finding leak many_leaks.c:129
 * expect: finding leak many_leaks.c:130
 * expect: finding leak many_leaks.c:131
 * expect: finding leak many_leaks.c:132
 * expect: finding leak many_leaks.c:133
 * expect: finding leak many_leaks.c:134
 * expect: finding leak many_leaks.c:135
 * expect: finding leak many_leaks.c:136
 * expect: finding leak many_leaks.c:137
 * expect: finding leak many_leaks.c:138
 * expect: finding leak many_leaks.c:139
 * expect: finding leak many_leaks.c:140
 * expect: finding leak many_leaks.c:141
 * expect: finding leak many_leaks.c:142
 * expect: finding leak many_leaks.c:143
 * expect: finding leak many_leaks.c:144
 * expect: finding leak many_leaks.c:145
 * expect: finding leak many_leaks.c:146
 * expect: finding leak many_leaks.c:147
 * expect: finding leak many_leaks.c:148
 * expect: finding leak many_leaks.c:149
 * expect: finding leak many_leaks.c:150 */
#include <stdlib.h>

static void *volatile kept;

int main(void)
{
    kept = malloc(1);
    kept = malloc(2);
    kept = malloc(3);
    kept = malloc(4);
    kept = malloc(5);
    kept = malloc(6);
    kept = malloc(7);
    kept = malloc(8);
    kept = malloc(9);
    kept = malloc(10);
    kept = malloc(11);
    kept = malloc(12);
    kept = malloc(13);
    kept = malloc(14);
    kept = malloc(15);
    kept = malloc(16);
    kept = malloc(17);
    kept = malloc(18);
    kept = malloc(19);
    kept = malloc(20);
    kept = malloc(21);
    kept = malloc(22);
    kept = malloc(23);
    kept = malloc(24);
    kept = malloc(25);
    kept = malloc(26);
    kept = malloc(27);
    kept = malloc(28);
    kept = malloc(29);
    kept = malloc(30);
    kept = malloc(31);
    kept = malloc(32);
    kept = malloc(33);
    kept = malloc(34);
    kept = malloc(35);
    kept = malloc(36);
    kept = malloc(37);
    kept = malloc(38);
    kept = malloc(39);
    kept = malloc(40);
    kept = malloc(41);
    kept = malloc(42);
    kept = malloc(43);
    kept = malloc(44);
    kept = malloc(45);
    kept = malloc(46);
    kept = malloc(47);
    kept = malloc(48);
    kept = malloc(49);
    kept = malloc(50);
    kept = malloc(51);
    kept = malloc(52);
    kept = malloc(53);
    kept = malloc(54);
    kept = malloc(55);
    kept = malloc(56);
    kept = malloc(57);
    kept = malloc(58);
    kept = malloc(59);
    kept = malloc(60);
    kept = malloc(61);
    kept = malloc(62);
    kept = malloc(63);
    kept = malloc(64);
    kept = malloc(65);
    kept = malloc(66);
    kept = malloc(67);
    kept = malloc(68);
    kept = malloc(69);
    kept = malloc(70);
    kept = malloc(8);
    free(kept); /* no register holds the last of the others */
    kept = 0;
    return 0;
}
