/* The glyphs, rendered once from DejaVu Sans 13 with vertical hinting.
 *
 * A glyph's cell has FONT_HEIGHT rows of advance + 2 pixels. A row is rounded up to an even number
 * of pixels. A pixel has 8 levels. Two neighbouring pixels form one character: '0' + 8 left +
 * right. Empty pixels at the end of a glyph are left out.
 *
 * Fonts (c) Bitstream, Inc. (see below). DejaVu changes are in public domain.
 * Copyright (c) 2003 by Bitstream, Inc. All Rights Reserved. Bitstream Vera is a trademark of
 * Bitstream, Inc.
 *
 * Permission is hereby granted, free of charge, to any person obtaining a copy of the fonts
 * accompanying this license ("Fonts") and associated documentation files (the "Font Software"), to
 * reproduce and distribute the Font Software, including without limitation the rights to use, copy,
 * merge, publish, distribute, and/or sell copies of the Font Software, and to permit persons to
 * whom the Font Software is furnished to do so, subject to the following conditions:
 *
 * The above copyright and trademark notices and this permission notice shall be included in all
 * copies of one or more of the Font Software typefaces.
 *
 * The Font Software may be modified, altered, or added to, and in particular the designs of glyphs
 * or characters in the Fonts may be modified and additional glyphs or characters may be added to
 * the Fonts, only if the fonts are renamed to names not containing either the words "Bitstream" or
 * the word "Vera".
 *
 * This License becomes null and void to the extent applicable to Fonts or Font Software that has
 * been modified and is distributed under the "Bitstream Vera" names.
 *
 * The Font Software may be sold as part of a larger software package but no copy of one or more of
 * the Font Software typefaces may be sold by itself.
 *
 * THE FONT SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED,
 * INCLUDING BUT NOT LIMITED TO ANY WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE
 * AND NONINFRINGEMENT OF COPYRIGHT, PATENT, TRADEMARK, OR OTHER RIGHT. IN NO EVENT SHALL BITSTREAM
 * OR THE GNOME FOUNDATION BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, INCLUDING ANY
 * GENERAL, SPECIAL, INDIRECT, INCIDENTAL, OR CONSEQUENTIAL DAMAGES, WHETHER IN AN ACTION OF
 * CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF THE USE OR INABILITY TO USE THE FONT SOFTWARE
 * OR FROM OTHER DEALINGS IN THE FONT SOFTWARE.
 *
 * Except as contained in this notice, the names of Gnome, the Gnome Foundation, and Bitstream Inc.,
 * shall not be used in advertising or otherwise to promote the sale, use or other dealings in this
 * Font Software without prior written authorization from the Gnome Foundation or Bitstream Inc.,
 * respectively. For further information, contact: fonts at gnome dot org. */
#include "font.h"

#include <string.h>

// clang-format off
static const font_glyph glyphs[] = {
    {4, ""}, // space
    {5, "0000000007@007@007@007@007800780000007@007@"}, // !
    {6, "000000000ZE00ZE00ZE00ZE"}, // "
    {11, "0000000003PS00005@b000068h000Gooo`000M3P0000S5@000oooo8001`F00002XL00004HZ"}, // #
    {8, "000000000000C000=oY00\\CC00bC000N\\8001Md000C?80ZCO00EoZ000C0000C"}, // $
    {12, "000000000000000Nb05@01iF0E002X71a001iF5@000NbE=m0001aT5H005HZ3P00E0T5H00a0=m"}, // %
    {10, "00000000000002gY0007HC0007@00005a0000UF@781i2jF01i0Gc00^8Fj004gcG@"}, // &
    {4, "0000000Z00Z00Z00Z"}, // '
    {5, "02X005@00>000U000[000c000c000[000U000>0005@002X"}, // (
    {5, "0Z000F0006@004P003`002`002`003`004P006@00F000Z"}, // )
    {7, "000000000001P003QQX00Ed800Ed803QQX001P"}, // *
    {11, "00000000000000001h000001h000001h000001h0000WoooP0001h000001h000001h000001h"}, // +
    {4, "0000000000000000000000000000N00T00a"}, // ,
    {5, "00000000000000000000000000003oh"}, // -
    {4, "0000000000000000000000000000U00U"}, // .
    {4, "00000000b01`03P05@0700E00[00i02`04P06@"}, // /
    {8, "000000000004gY00N9]00c0?81j07@1i06H1j07@0c0?80N9]004gY"}, // 0
    {8, "00000000000Wo0000G0000G0000G0000G0000G0000G0000G000Ooo8"}, // 1
    {8, "00000000000EnP00Z1d0000N0000]0003i000N8003a000V8000ooo"}, // 2
    {8, "00000000000=fY00R1]0000G0001]003oa0001V0000?80Y1V00EnY"}, // 3
    {8, "0000000000005i000Mi001ai005Ai00M1i01a1i03oooP001i0001i"}, // 4
    {8, "00000000000Wok00T0000T0000WnP0001e0000G0000G00Y1e00EnP"}, // 5
    {8, "000000000002_b00GH<00\\0000kgb01n8O80l06H0d06H0N8O803gZ"}, // 6
    {8, "00000000000ooo8000U0000j0003`0006P000?8000U0000j0003`"}, // 7
    {8, "00000000000=gY00]8V00c0?80U8U005oa00]8O81j07@0e8O80=ob"}, // 8
    {8, "00000000000=gP00]9]01i0G81i0G@0e9_@0=nO@000G00J2c00=nH"}, // 9
    {4, "0000000000000N00N00000000000N00N"}, // :
    {4, "0000000000000N00N00000000000N00T00a"}, // ;
    {11, "0000000000000000000000000DH0001Vd800;gR0000WP00000;gR000001Vd800000DH"}, // <
    {11, "000000000000000000000000000000000000WoooP0000000000000000WoooP"}, // =
    {11, "0000000000000000000000T@00000<fI000002W[000001_P0002W[000<fI0000T@"}, // >
    {7, "00000000000Fn@00Y4`0003`000F@002a0003X000000004X0004X"}, // ?
    {13, "000000000000000000<ge@0002d8:d000F8005H00Z2g]9`00`6@G8`01X>068`00`6@GEP00Z2g]c000F80000003c8;X0000<ge@"}, // @
    {9, "00000000000000OH0000dX0002`a0005HL000>0>000OooH00a02X02`00i05P00\\"}, // A
    {9, "0000000000000_od000\\0GH00\\05P00\\0G@00_om000\\0=P00\\03h00\\0=X00_oe8"}, // backslash
    {9, "00000000000001^nH00GQ1R00d00001j00002i00001j00000d00000GQ1R001_nH"}, // C
    {10, "0000000000000_oe800\\0<j00\\00V00\\00G80\\00?@0\\00G80\\00V00\\0<j00_oe8"}, // D
    {8, "00000000000_oo@0\\0000\\0000\\0000_oo80\\0000\\0000\\0000_ooH"}, // E
    {7, "00000000000_om00\\0000\\0000\\0000_oj00\\0000\\0000\\0000\\"}, // F
    {10, "00000000000001^nQ00GQ1L00d00001j00002i0Oo01j00G00d00G00GQ1W001^nZ"}, // G
    {10, "0000000000000\\00\\00\\00\\00\\00\\00\\00\\00_ool00\\00\\00\\00\\00\\00\\00\\00\\"}, // H
    {4, "0000000\\00\\00\\00\\00\\00\\00\\00\\00\\"}, // I
    {4, "0000000\\00\\00\\00\\00\\00\\00\\00\\00\\00[02j0^P"}, // J
    {9, "0000000000000\\05a00\\1e000\\>X000]d0000_i0000\\V8000\\4j000\\0O@00\\03j"}, // K
    {7, "00000000000\\0000\\0000\\0000\\0000\\0000\\0000\\0000\\0000_oo8"}, // L
    {11, "000000000000000_H0?h00^`0Vh00\\a0kh00\\L3Zh00\\?6Bh00\\5^2h00\\2k2h00\\002h00\\002h"}, // M
    {10, "0000000000000_@0c00^`0c00\\c0c00\\F0c00\\6Pc00\\2ic00\\0\\c00\\0?k00\\04k"}, // N
    {10, "00000000000002_nH00GQ;k00d00O81j007H2i006H1j007H0d00O80GQ3l002_nH"}, // O
    {8, "00000000000_oZ00\\0W80\\07@0\\07@0\\0W80_oZ00\\0000\\0000\\"}, // P
    {10, "00000000000002_nH00GQ;l00d00O81j007H2i006H1j007H0d00O80GQ3k002_o@0000>P00002j"}, // Q
    {9, "0000000000000_ob000\\0O800\\07@00\\0O800_oj000\\1^000\\07H00\\03`00\\00c"}, // R
    {8, "00000000000=gZ00d8E01i0000e@000<gZ0000O@0006H1Z0O@0Eoc"}, // S
    {8, "00000000007oooh00\\0000\\0000\\0000\\0000\\0000\\0000\\0000\\"}, // T
    {10, "0000000000000c00c00c00c00c00c00c00c00c00c00c00k00\\01j00G@=`003ge8"}, // U
    {9, "0000000000005P00\\02h01i00c04X00N06H00?@G0005P\\0002ii0000fX0000OH"}, // V
    {13, "00000000000000003`0O@0j01i0^P2h00c0j`4X00]1`h6H00N3PZ7@00?=@LG0006O8>U0004f07c0002l05i"}, // W
    {9, "0000000000000d03`00?@?@003ac0000_X0000OH0001li0005PU000V06H02i02i"}, // X
    {8, "00000000005X05P0c0N00G9i004fH000e0000\\0000\\0000\\0000\\"}, // Y
    {9, "0000000000002oooi00006X0000^00004a0000O80002j0000?H0001d00003oooj"}, // Z
    {5, "00000g`00b000b000b000b000b000b000b000b000b000b000g`"}, // [
    {4, "0000006@04P02`00i00[00E007005@03P01`00b"}, // backslash
    {5, "00000_h002h002h002h002h002h002h002h002h002h002h00_h"}, // ]
    {11, "00000000000000004k00000OO@0002i2j000F80F8"}, // ^
    {7, "00000000000000000000000000000000000000000000000000000000000000000?ool"}, // _
    {7, "000000M00003X"}, // `
    {8, "000000000000000000000_nH0001b0000M00Fom01j0M01j2e00NmU"}, // a
    {8, "0c0000c0000c0000c0000d_b00g@O80d06H0c05P0d06H0g@O80d_b"}, // b
    {7, "0000000000000000000004gP00]8J01i0002h0001i0000]8J004gP"}, // c
    {8, "000?8000?8000?8000?80=nO80]9g81i0G82h0?81i0G80]9g80=nO8"}, // d
    {8, "0000000000000000000004gY00]8V01i0782ooo@1i0000]8=004gZ"}, // e
    {5, "04n00F000T000T005ol00T000T000T000T000T000T"}, // f
    {8, "000000000000000000000=nO80]9g81i0G82h0?81i0G80]9g80=nO0000G00B1d00=nP"}, // g
    {8, "0c0000c0000c0000c0000d_b00f8N00c0780c0780c0780c0780c078"}, // h
    {4, "0000[00000000[00[00[00[00[00[00["}, // i
    {4, "0000[00000000[00[00[00[00[00[00[00c01j0GP"}, // j
    {8, "0c0000c0000c0000c0000c0]00c>P00dc000f`000c]000c4a00c0V8"}, // k
    {4, "0[00[00[00[00[00[00[00[00[00[00["}, // l
    {13, "000000000000000000000000000000000d_bNl000f8WP>@00c0G05P00c0G04P00c0G04P00c0G04P00c0G04P"}, // m
    {8, "000000000000000000000d_b00f8N00c0780c0780c0780c0780c078"}, // n
    {8, "000000000000000000000=fP00]9]01i0?82h0781i0?80]9]00=fQ"}, // o
    {8, "000000000000000000000d_b00g@O80d06H0c05P0d06H0g@O80d_b00c0000c0000c"}, // p
    {8, "000000000000000000000=nO80]9g81i0G82h0?81i0G80]9g80=nO8000?8000?8000?8"}, // q
    {5, "00000000000000000d_@0f@00c000c000c000c000c"}, // r
    {7, "000000000000000000000Nm801j2P01i0000Ed80003h02Q3h00Nn@"}, // s
    {5, "000000000c000c005om00c000c000c000c000\\000Fm"}, // t
    {8, "000000000000000000000b0?00b0?00b0?00b0?00b0?00]1_00=nO"}, // u
    {8, "000000000000000000003`0?80i0U00\\0b00F2h006DP004_8001n"}, // v
    {11, "00000000000000000000000000002`4i2h00i5c3X00c7M5H00UE?7800FS6N0007i4l0005`2k"}, // w
    {8, "000000000000000000001c0U00G;a004g@001m0005^H00N2i02i0N"}, // x
    {8, "000000000000000000003`0?80j0U00T0b00?;`005MP002g8000e0000j0003`000n@"}, // y
    {7, "000000000000000000002ooj0003`000N8002a000>@001b0003ooj"}, // z
    {8, "00000005l000F8000M0000M0000]000Oa0001\\0000M0000M0000N0000G80005l"}, // {
    {4, "0000E00E00E00E00E00E00E00E00E00E00E00E00E"}, // |
    {8, "000000Oa0000\\0000U0000M0000N80005m000G8000M0000U0000U0000\\000Oa"}, // }
    {11, "0000000000000000000000000000000000000000000=nQ3H00J1Vd8"}, // ~
};
// clang-format on

const font_glyph *font_find(char character) {
    if (character < FONT_FIRST || character > FONT_LAST) character = '?';
    return &glyphs[character - FONT_FIRST];
}

unsigned char font_pixel(const font_glyph *glyph, int x, int y) {
    size_t pairs = (size_t)(glyph->advance + 3) / 2; // characters in a row
    size_t index = (size_t)y * pairs + (size_t)x / 2;
    if (index >= strlen(glyph->pixels)) return 0;
    int pair = glyph->pixels[index] - '0';
    int level = x % 2 ? pair % 8 : pair / 8;
    return (unsigned char)(level * 255 / 7);
}

int font_text_width(const char *text) {
    int width = 0;
    for (; *text; text++) width += font_find(*text)->advance;
    return width;
}
