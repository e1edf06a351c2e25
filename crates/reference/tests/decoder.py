"""Decodes instruction words with `isa.json` alone.

Usage: decoder.py ISA.JSON FAMILY < WORDS

Each line of input is a word in hexadecimal. Each line of output has the number of the form and the values of its
modifiers and operands, or `-` if no form matches.
"""

import json
import sys


def value(word, runs):
    """The bits of a word that runs name, joined; the first run is lowest."""
    joined, at = 0, 0
    for low, width in runs:
        joined |= (word >> low & (1 << width) - 1) << at
        at += width
    return joined


def cut(word, length):
    """A word as long as the instructions of a form."""
    if length is None:
        return word
    short, long, bit = length
    return word & (1 << 8 * (long if word >> bit & 1 else short)) - 1


class Decoder:
    def __init__(self, family):
        # The runs of each form, and for each length and mask the first form with each value of the fixed bits.
        self.parts = []
        self.groups = {}
        for number, form in enumerate(family["forms"]):
            parts = form["modifiers"] + form["prefix"] + form["operands"] + form["suffix"]
            self.parts.append([part["bits"] for part in parts])
            length = form.get("length")
            key = (length and (length["short"], length["long"], length["bit"]), int(form["mask"], 16))
            self.groups.setdefault(key, {}).setdefault(int(form["bits"], 16), number)

    def decode(self, word):
        """The number of the first form that matches, and the values of its modifiers and operands."""
        found = []
        for (length, mask), forms in self.groups.items():
            whole = cut(word, length)
            number = forms.get(whole & mask)
            if number is not None:
                found.append((number, whole))
        if not found:
            return None
        number, whole = min(found)
        return number, [value(whole, runs) for runs in self.parts[number]]


def main():
    path, name = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        isa = json.load(file)
    assert isa["version"] == 2, "another version of the data"
    decoder = Decoder(next(family for family in isa["families"] if family["name"] == name))
    for line in sys.stdin:
        decoded = decoder.decode(int(line, 16))
        if decoded is None:
            print("-")
        else:
            number, values = decoded
            print(number, *(f"{value:x}" for value in values))


main()
