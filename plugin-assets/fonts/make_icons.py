"""Draws the editor's icons on a grid of 24 and writes them as glyphs of Ictus-Icons.ttf.

Needs fonttools and shapely. Each sign is a list of strokes and filled shapes. A new sign goes to the end,
and gets a constant in `src/editor/theme.rs`.
"""
import math
import os

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from shapely.geometry import LineString, Point, Polygon
from shapely.ops import unary_union

STROKE = 1.0  # half the width of a line


def line(*points):
    return LineString(points).buffer(STROKE, cap_style="round", join_style="round")


def disc(x, y, r):
    return Point(x, y).buffer(r, 24)


def heart():
    points = []
    for i in range(60):
        t = 2 * math.pi * i / 60
        x = 16 * math.sin(t) ** 3
        y = 13 * math.cos(t) - 5 * math.cos(2 * t) - 2 * math.cos(3 * t) - math.cos(4 * t)
        points.append((12 + 0.56 * x, 12.5 + 0.56 * y))
    return Polygon(points)


SIGNS = {
    "previous": [line((15, 5), (8, 12), (15, 19))],
    "next": [line((9, 5), (16, 12), (9, 19))],
    "save": [line((12, 20), (12, 8)), line((7, 12.5), (12, 7.5), (17, 12.5)), line((4, 8), (4, 4), (20, 4), (20, 8))],
    "heart": [heart().difference(heart().buffer(-1.9))],
    "heart_full": [heart()],
    "stop": [Polygon([(6, 6), (18, 6), (18, 18), (6, 18)]).buffer(0.8)],
    "sun": [disc(12, 12, 4)] + [line((12 + 7 * math.cos(a), 12 + 7 * math.sin(a)), (12 + 9 * math.cos(a), 12 + 9 * math.sin(a)))
                                for a in [math.pi * i / 4 for i in range(8)]],
    "moon": [disc(12, 12, 8.5).difference(disc(16, 15, 7.5))],
}

EM, SCALE = 1000, 40
FIRST = 0xE000


def glyph(shapes):
    pen = TTGlyphPen(None)
    union = unary_union(shapes)
    for part in getattr(union, "geoms", [union]):
        for ring, clockwise in [(part.exterior, True)] + [(inner, False) for inner in part.interiors]:
            points = list(ring.simplify(0.03).coords)[:-1]
            if ring.is_ccw == clockwise:
                points.reverse()
            points = [(round(SCALE * x + 20), round(SCALE * y - 130)) for x, y in points]
            pen.moveTo(points[0])
            for point in points[1:]:
                pen.lineTo(point)
            pen.closePath()
    return pen.glyph()


def main():
    names = list(SIGNS)
    empty = TTGlyphPen(None).glyph()
    builder = FontBuilder(EM, isTTF=True)
    builder.setupGlyphOrder([".notdef"] + names)
    builder.setupCharacterMap({FIRST + i: name for i, name in enumerate(names)})
    builder.setupGlyf({".notdef": empty, **{name: glyph(SIGNS[name]) for name in names}})
    builder.setupHorizontalMetrics({name: (EM, 0) for name in [".notdef"] + names})
    builder.setupHorizontalHeader(ascent=830, descent=-170)
    builder.setupNameTable({"familyName": "Ictus Icons", "styleName": "Regular"})
    builder.setupOS2(sTypoAscender=830, sTypoDescender=-170, usWinAscent=830, usWinDescent=170)
    builder.setupPost()
    builder.save(os.path.join(os.path.dirname(os.path.abspath(__file__)), "Ictus-Icons.ttf"))


main()
