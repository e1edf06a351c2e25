"""Decodes instruction words with `isa.json` alone.

Usage: decoder.py ISA.JSON FAMILY < WORDS

Each line of input is a word in hexadecimal. Each line of output has the number of the form and the values of its
modifiers and operands, or `-` if no form matches.
"""

import collections
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
        # The bits that most forms fix, and for each value of them that was seen the groups that can match it.
        masks = [int(form["mask"], 16) for form in family["forms"]]
        fixed = collections.Counter(bit for mask in masks for bit in range(128) if mask >> bit & 1)
        self.index = sum(1 << bit for bit, _ in fixed.most_common(9))
        self.near = {}

    def candidates(self, word):
        """The groups that have a form whose fixed bits in the index are those of a word."""
        key = word & self.index
        if key not in self.near:
            self.near[key] = []
            for (length, mask), forms in self.groups.items():
                # Bits past an instruction count as zeros.
                known = self.index & mask & (-1 if length is None else (1 << 8 * length[0]) - 1)
                if any((bits ^ word) & known == 0 for bits in forms):
                    self.near[key].append((length, mask, forms))
        return self.near[key]

    def decode(self, word):
        """The number of the first form that matches, and the values of its modifiers and operands."""
        found = []
        for length, mask, forms in self.candidates(word):
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
