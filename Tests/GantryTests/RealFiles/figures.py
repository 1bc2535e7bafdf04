#!/usr/bin/env python3
"""Reference figures for RealFilesTests, from readers that share nothing with Gantry: csv, ElementTree, slices.

    python3 Tests/GantryTests/RealFiles/figures.py SHARED > Tests/GantryTests/RealFiles/figures.tsv

A line is one column of a store that an import must give: the import, the query that reads the column in the order of
the records, the number of values, the NULLs among them, and the first 16 digits of the SHA-256 of all values, each as
text (NULL as \\N, a blob as lower-case hex, the archive of a colour as #rrggbb) and ended by a newline. A line with
`step` and a name in place of a query gives what becomes of the step's records: read, filtered, rejected, and the keys
of destinations that do not exist and become NULL.
"""
import csv
import hashlib
import os
import re
import sys
import xml.etree.ElementTree as ElementTree
from datetime import datetime, timezone

SHARED = sys.argv[1]
HEX_DIGITS = 16


# --- Output

def line(*fields):
    print(*fields, sep="\t")


def text(value):
    if value is None:
        return "\\N"
    return repr(value) if isinstance(value, float) else str(value)


def column(name, query, values):
    digest = hashlib.sha256("".join(text(v) + "\n" for v in values).encode()).hexdigest()
    line(name, query, len(values), sum(v is None for v in values), digest[:HEX_DIGITS])


def attributes(name, table, rows, where=""):
    """One figure for each attribute; the keys of a row are the attributes' names."""
    for attribute in rows[0]:
        query = f"SELECT Z{attribute.upper()} FROM Z{table.upper()}{where} ORDER BY Z_PK"
        column(name, query, [row[attribute] for row in rows])


def to_one(name, table, relationship, destination, key, values):
    target = f"(SELECT Z{key.upper()} FROM Z{destination.upper()} d WHERE d.Z_PK = s.Z{relationship.upper()})"
    column(name, f"SELECT {target} FROM Z{table.upper()} s ORDER BY s.Z_PK", values)


def counts(name, step, read, filtered=0, rejected=0, nulled=0):
    line(name, f"step {step}", read, filtered, rejected, nulled)


# --- Input

def path(file):
    return os.path.join(SHARED, file)


def csv_rows(file, delimiter=",", quotes=True):
    """Rows of (text, quoted): the csv module does not tell what was quoted, so a pattern splits, and csv confirms."""
    with open(path(file), encoding="utf-8", newline="") as stream:
        content = stream.read()
    quoting = csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE
    expected = list(csv.reader(content.splitlines(keepends=True), delimiter=delimiter, quoting=quoting))
    field = re.compile(r'("(?:[^"]|"")*"|[^%s\r\n]*)(%s|\r?\n|$)' % (delimiter, delimiter))
    rows, row, at = [], [], 0
    while at < len(content):
        match = field.match(content, at)
        body, end = match.groups()
        quoted = quotes and body.startswith('"')
        row.append((body[1:-1].replace('""', '"') if quoted else body, quoted))
        if end != delimiter:
            rows.append(row)
            row = []
        at = match.end()
    assert [[body for body, _ in row] for row in rows] == expected, file
    return rows


def texts(row, nulls=(), quoted_nulls=False):
    """The fields as text: an unquoted empty field is None, a quoted one is not, unless it is spelled so in `nulls`."""
    return [
        None if (not quoted and body == "") or (body in nulls and (quoted_nulls or not quoted)) else body
        for body, quoted in row
    ]


def optional(convert):
    return lambda value: None if value in (None, "") else convert(value)


integer, real = optional(int), optional(float)


def flag(true, false=()):
    def convert(value):
        assert value in true or value in false, value
        return int(value in true)
    return optional(convert)


def records(rows, names, **converters):
    """Rows as dictionaries; a name of None is a column that is not imported."""
    result = []
    for row in rows:
        assert len(row) == len(names)
        result.append({n: converters.get(n, lambda v: v)(v) for n, v in zip(names, row) if n})
    return result


# --- The imports

ROUTE = ["airlineCode", None, "sourceCode", None, "destinationCode", None, "codeshare", "stops", "equipment"]


def routes(rows):
    return records(rows, ROUTE, codeshare=flag("Y"), stops=integer)


def route_rows():
    return [texts(row, nulls=["\\N"]) for row in csv_rows("realdata/openflights/routes.dat")]


def open_flights(name, strict):
    airports = records(
        [texts(row, nulls=["\\N"]) for row in csv_rows("realdata/openflights/airports.dat")],
        ["id", "name", "city", "country", "iata", "icao", "latitude", "longitude", "altitude", "utcOffset", "dst",
         "timeZone", "type", "origin"],
        id=integer, latitude=real, longitude=real, altitude=integer, utcOffset=real)
    airlines = records(
        [texts(row, ["\\N", "-", "N/A", ""], True) for row in csv_rows("realdata/openflights/airlines.dat")],
        ["id", "name", "alias", "iata", "icao", "callsign", "country", "active"], id=integer, active=flag("Y", "Nn"))
    known_airports, known_airlines = {a["id"] for a in airports}, {a["id"] for a in airlines}

    rows, links, refused, dangling = [], [], 0, 0
    for row in route_rows():
        link = [integer(row[1]), integer(row[3]), integer(row[5])]
        known = [link[0] in known_airlines, link[1] in known_airports, link[2] in known_airports]
        lost = sum(key is not None and not found for key, found in zip(link, known))
        if strict and lost:
            refused += 1
            continue
        dangling += lost
        rows.append(row)
        links.append([key if found else None for key, found in zip(link, known)])

    if not strict:
        attributes(name, "Airport", airports)
        attributes(name, "Airline", airlines)
    attributes(name, "Route", routes(rows))
    to_one(name, "Route", "airline", "Airline", "id", [link[0] for link in links])
    to_one(name, "Route", "source", "Airport", "id", [link[1] for link in links])
    to_one(name, "Route", "destination", "Airport", "id", [link[2] for link in links])
    counts(name, "airports", len(airports))
    counts(name, "airlines", len(airlines))
    counts(name, "routes", len(rows) + refused, rejected=refused, nulled=dangling)


def equipment(name, strict):
    planes, seen, doubles, keyless = [], set(), 0, 0
    for row in csv_rows("realdata/openflights/planes.dat"):
        plane = dict(zip(["name", "iata", "icao"], texts(row, nulls=["\\N"])))
        if plane["iata"] is None:
            keyless += 1
        elif plane["iata"] in seen:
            doubles += 1
        else:
            planes.append(plane)
            seen.add(plane["iata"])
    rows, links, refused, unknown = [], [], 0, 0
    for row in route_rows():
        codes = [code for code in (row[8] or "").split(" ") if code]
        if strict and any(code not in seen for code in codes):
            refused += 1
            continue
        rows.append(row)
        links += [f"{len(rows)} {code}" for code in codes if code in seen]
        unknown += sum(code not in seen for code in codes)
    attributes(name, "Plane", planes)
    attributes(name, "Route", [{"equipment": row["equipment"]} for row in routes(rows)])
    column(name, "SELECT l.Z_4ROUTES || ' ' || p.ZIATA FROM Z_3ROUTES l JOIN ZPLANE p ON p.Z_PK = l.Z_3PLANES"
                 " ORDER BY l.Z_4ROUTES, l.Z_FOK_3PLANES", links)
    counts(name, "planes", len(planes) + doubles + keyless, filtered=doubles, rejected=keyless)
    counts(name, "routes", len(rows) + refused, rejected=refused, nulled=unknown)


def unicode_data(name):
    rows = [texts(row) for row in csv_rows("realdata/unicode/UnicodeData.txt", ";", quotes=False)]
    attributes(name, "Character", records(
        rows,
        ["code", "name", "category", "combiningClass", "bidiClass", "decomposition", "decimalDigit", "digit", "numeric",
         "mirrored", "oldName", "comment", None, None, None],
        combiningClass=integer, decimalDigit=integer, digit=integer, mirrored=flag("Y", "N")))
    codes = {row[0] for row in rows}
    for index, relationship in enumerate(["uppercase", "lowercase", "titlecase"], start=12):
        values = [row[index] if row[index] in codes else None for row in rows]
        to_one(name, "Character", relationship, "Character", "code", values)
    counts(name, "characters", len(rows))


def country_codes(name):
    header, *rows = csv_rows("realdata/country-codes/country-codes.csv")
    # An attribute is named as its column, without blanks, dashes, underscores and what stands in parentheses.
    names = [re.sub(r"\(.*\)|[ _-]", "", title) for title, _ in header]
    numbers = ["ISO31661numeric", "GAUL", "GlobalCode", "IntermediateRegionCode", "M49", "SubregionCode", "RegionCode",
               "GeonameID"]
    flags = ["SmallIslandDevelopingStates", "LandLockedDevelopingCountries", "LeastDevelopedCountries"]
    attributes(name, "Country", records(
        [texts(row, nulls=["\u00a0"]) for row in rows], names,
        **{n: integer for n in numbers}, **{n: flag("x") for n in flags}))
    counts(name, "country-codes", len(rows))


def elements(file, tag, names):
    root = ElementTree.parse(path(file)).getroot()
    return [{n: element.get(attribute) for n, attribute in names.items()} for element in root.iter(tag)]


def currencies(name):
    file = "realdata/iso/iso_4217.xml"
    names = {"code": "letter_code", "number": "numeric_code", "name": "currency_name"}
    historic = {**names, "withdrawn": "date_withdrawn"}
    for step, entity, tag, fields in [("currencies", "Currency", "iso_4217_entry", names),
                                      ("historic", "HistoricCurrency", "historic_iso_4217_entry", historic)]:
        rows = elements(file, tag, fields)
        where = f" WHERE Z_ENT = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = '{entity}')"
        attributes(name, "Currency", rows, where)
        counts(name, step, len(rows))


def countries(name):
    file = "realdata/iso/iso_3166-1.xml"
    current = elements(file, "iso_3166_entry", {
        "alpha2": "alpha_2_code", "alpha3": "alpha_3_code", "number": "numeric_code", "commonName": "common_name",
        "name": "name", "officialName": "official_name"})
    for row in current:
        row["number"] = integer(row["number"])
    attributes(name, "Country", current)

    former, refused = [], 0
    for row in elements(file, "iso_3166_3_entry", {
            "alpha3": "alpha_3_code", "alpha4": "alpha_4_code", "number": "numeric_code", "withdrawn": "date_withdrawn",
            "names": "names", "comment": "comment"}):
        day = row["withdrawn"]
        if day is not None and not re.fullmatch(r"\d{4}-\d\d-\d\d", day):
            refused += 1
            continue
        row["number"] = integer(row["number"])
        if day is not None:
            since = datetime.strptime(day, "%Y-%m-%d").replace(tzinfo=timezone.utc) - datetime(
                2001, 1, 1, tzinfo=timezone.utc)
            row["withdrawn"] = since.days * 86400
        former.append(row)
    attributes(name, "FormerCountry", former)
    counts(name, "countries", len(current))
    counts(name, "former", len(former) + refused, rejected=refused)


def lines(file):
    with open(path(file), encoding="ascii", newline="") as stream:
        return stream.read().splitlines()


def colors(name):
    rows = [re.fullmatch(r" *(\d+) +(\d+)[ \t] *(\d+)\s+(.*)", row).groups()
            for row in lines("realdata/colours/x11-rgb.txt") if not row.startswith("!")]
    names = [row[3] for row in rows]
    codes = ["#%02x%02x%02x" % tuple(map(int, row[:3])) for row in rows]
    column(name, "SELECT ZNAME FROM ZARCHIVEDCOLOR ORDER BY Z_PK", names)
    column(name, "SELECT ZCOLORDATA FROM ZARCHIVEDCOLOR ORDER BY Z_PK", codes)
    column(name, "SELECT ZNAME FROM ZHEXCOLOR ORDER BY Z_PK", names)
    column(name, "SELECT ZCOLORSTRING FROM ZHEXCOLOR ORDER BY Z_PK", [code + "ff" for code in codes])
    counts(name, "archived", len(rows))
    counts(name, "hex", len(rows))


def slices(file, fields, skip=0):
    return [{n: row[start:end].strip(" ") or None for n, (start, end) in fields.items()}
            for row in lines("csv/suites/readr/inst/extdata/" + file)[skip:]]


def numbers(rows, texts):
    return [{n: v if n in texts else integer(v) for n, v in row.items()} for row in rows]


def fixed_width(name):
    people = slices("fwf-sample.txt", {"name": (0, 20), "state": (20, 30), "phone": (30, 42)})
    ranks = dict(zip("ucc pay laz kpk rt cof bih dii eng acu".split(), [0, 4, 8, 12, 16, 22, 26, 30, 34, 38]))
    fields = {n: (at, at + 3) for n, at in ranks.items()}
    fields |= {"rank": (42, 46), "name": (47, 63), "conference": (63, None)}
    teams = numbers(slices("massey-rating.txt", fields, skip=1), ["name", "conference"])
    fields = {"name": (0, 37), "size": (37, 39), "carline": (79, 100), "code": (100, 108)}
    for kind, at in [("2", 40), ("4", 49), ("H", 57), ("W", 65)]:
        fields |= {"volume" + kind: (at, at + 3), "trunk" + kind: (at + 3, at + 6)}
    cars = numbers(slices("epa78.txt", fields), ["name", "carline"])
    for step, entity, rows in [("fwf-sample", "Person", people), ("massey-rating", "Team", teams), ("epa78", "Car", cars)]:
        attributes(name, entity, rows)
        counts(name, step, len(rows))


def playlists(name):
    folder = "realdata/chinook/"
    tracks = [texts(row) for row in csv_rows(folder + "Track.csv")[1:]]
    names = ["trackId", "name", None, None, None, "composer", "milliseconds", "bytes", "unitPrice"]
    attributes(name, "Track", records(
        tracks, names, trackId=integer, milliseconds=integer, bytes=integer, unitPrice=real))
    lists = [texts(row) for row in csv_rows(folder + "Playlist.csv")[1:]]
    attributes(name, "Playlist", records(lists, ["playlistId", "name"], playlistId=integer))
    links = sorted((int(a), int(b)) for a, b in map(texts, csv_rows(folder + "PlaylistTrack.csv")[1:]))
    pair = "SELECT p.ZPLAYLISTID || ' ' || t.ZTRACKID FROM {} l JOIN ZPLAYLIST p ON p.Z_PK = l.{} " \
           "JOIN ZTRACK t ON t.Z_PK = l.{} ORDER BY p.ZPLAYLISTID, {}"
    values = [f"{a} {b}" for a, b in links]
    column(name, pair.format("Z_1TRACKS", "Z_1PLAYLISTS", "Z_2TRACKS", "t.ZTRACKID"), values)
    column(name, pair.format("Z_1SEQUENCE", "Z_1SEQUENCEOF", "Z_2SEQUENCE", "l.Z_FOK_2SEQUENCE"), values)
    for step, rows in [("Track", tracks), ("Playlist", lists), ("tracks", links), ("sequence", links)]:
        counts(name, step, len(rows))


print("# python3 Tests/GantryTests/RealFiles/figures.py SHARED > Tests/GantryTests/RealFiles/figures.tsv")
print("# import", "query", "values", "NULLs", "SHA-256", sep="\t")
print("# import", "step", "read", "filtered", "rejected", "nulled", sep="\t")
open_flights("OpenFlights", strict=False)
open_flights("OpenFlightsStrict", strict=True)
equipment("Equipment", strict=False)
equipment("EquipmentStrict", strict=True)
unicode_data("Unicode")
country_codes("CountryCodes")
currencies("Currencies")
countries("Countries")
colors("Colors")
fixed_width("FixedWidth")
playlists("Playlists")
