"""The package has each function of cairn.h under the name that api.json says, and no other names but
those of structs, enumerations, constants and fields, and a few of its own."""
import enum
import json
import types
import unittest

import cairn2d as cn
from test_reach import API

# What Python has beside the functions of C, and why.
OWN = {
    "BatchError": "what Batch.step raises",
    "CairnError": "what a call that fails raises",
    "Bodies": "many objects as arrays", "Shapes": "the same", "Joints": "the same",
    "Grids": "the same", "Chains": "the same",
    "Recording": "ends in a with statement",
    "Batch.destroy": "for all worlds", "Batch.hashes": "for all worlds",
    "Batch.made": "what made the worlds returned", "Batch.make_world": "makes the worlds",
    "Batch.poses": "for all worlds", "Batch.reset": "makes another world in the place of one",
    "Batch.worlds": "the worlds",
    "BatchError.failures": "the worlds that failed",
    "Bodies.states": "the motions of all bodies in one call",
    "CairnError.kind": "cn_error_code()", "CairnError.text": "cn_error()",
    "Events.array": "the events as an array", "Events.KINDS": "the types of the arrays",
    "Joint.a": "a field of the definition", "Joint.b": "a field of the definition",
    "Joint.x": "a coordinate", "Joint.y": "a coordinate", "Joint.angle": "a coordinate",
    "JointCoordinate.joint": "its joint", "JointCoordinate.set": "changes some fields",
    "JointDef.world": "that of its bodies",
    "Object.data": "any value of the user", "Object.slot": "the number of body_in_slot()",
    "Object.world": "objects know their worlds",
    "Profile.stages": "names and seconds of cn_profile",
    "Recording.data": "the bytes", "Recording.world": "its world",
    "Rollback.world": "its world",
    "Vec2.cross": "arithmetic", "Vec2.dot": "arithmetic", "Vec2.length": "arithmetic",
    "World.before_step": "a field of the callbacks", "World.filter": "a field of the callbacks",
    "World.pre_solve": "a field of the callbacks",
    "World.find": "the object of a number in an array",
}
PLURALS = {"Bodies": "Body", "Shapes": "Shape", "Joints": "Joint", "Grids": "Grid",
           "Chains": "Chain"}


def class_name(name):
    return "Vec2" if name == "vec2s" else "".join(
        part.capitalize() for part in name.removeprefix("cn_").split("_"))


def inherited(cls):
    """The names that a class of Python's library gives to its subclasses."""
    bases = [b for b in cls.__mro__ if not b.__module__.startswith("cairn2d")]
    return {name for base in bases for name in dir(base)}


def public(thing):
    return {name for name in dir(thing) if not name.startswith("_")}


class Names(unittest.TestCase):
    def setUp(self):
        self.api = json.loads(API.read_text(encoding="utf-8"))
        self.functions = {f["name"] for f in self.api["functions"]}
        self.names = {f["names"]["python"]: f["name"] for f in self.api["functions"]
                      if f["names"]["python"]}
        if not hasattr(cn, "Batch"):  # (it needs numpy)
            self.names.pop("Batch.step")

    def test_each_function_has_its_name(self):
        for name, function in self.names.items():
            thing = cn
            for word in name.split("."):
                self.assertTrue(hasattr(thing, word), f"{function}: there is no {name}")
                thing = getattr(thing, word)

    def test_a_getter_is_a_property_and_with_its_setter_it_can_be_assigned(self):
        by_name = {}
        for f in self.api["functions"]:
            by_name.setdefault(f["names"]["python"], []).append(f["name"])
        for name, functions in by_name.items():
            if any("_set_" in f for f in functions) and "set_" not in name:
                owner, word = name.split(".")
                member = getattr(getattr(cn, owner), word)
                self.assertIsInstance(member, property, name)
                self.assertIsNotNone(member.fset, name)

    def test_the_module_has_no_other_names(self):
        known = {class_name(entry["name"]) for entry in self.api["structs"] + self.api["enums"]}
        known |= {entry["name"].removeprefix("CN_") for entry in self.api["constants"]}
        known |= {name.split(".")[0] for name in self.names}
        found = {name for name in public(cn) if not isinstance(getattr(cn, name), types.ModuleType)}
        self.assertEqual(found - known - set(OWN), set())

    def list_members(self):
        """Yields the public names within classes."""
        for name in public(cn):
            cls = getattr(cn, name)
            if not isinstance(cls, type) or issubclass(cls, (enum.Enum, dict)):
                continue
            members = public(cls) | set(getattr(cls, "__annotations__", ()))
            members |= {slot for base in cls.__mro__ for slot in getattr(base, "__slots__", ())}
            for member in members - inherited(cls):
                if not member.startswith("_"):
                    yield name, member

    def is_known(self, name, member):
        """True for functions of C, and for fields of the struct that a class stands for."""
        struct = {"JointCoordinate": "Coordinate"}.get(name, name)
        fields = {f["name"] for s in self.api["structs"] if class_name(s["name"]) == struct
                  for f in s["fields"]}
        if name in PLURALS:  # (the functions of a coordinate of a joint take the axis there)
            return member == "kind" or f"{PLURALS[name]}.{member}" in self.names or \
                f"cn_joint_{member}" in self.functions
        return f"{name}.{member}" in self.names or member in fields

    def test_the_classes_have_no_other_names(self):
        used = set()
        for name, member in self.list_members():
            is_object = issubclass(getattr(cn, name), cn.objects.Object)
            place = f"{'Object' if is_object and f'Object.{member}' in OWN else name}.{member}"
            used.add(place)
            self.assertNotEqual(self.is_known(name, member), place in OWN,
                                f"{place} is either a function of C or one of Python's own")
        if hasattr(cn, "Batch"):
            self.assertEqual({n for n in OWN if "." in n and not n.startswith(
                ("Batch", "CairnError"))} - used, set(), "these are listed, but not there")


if __name__ == "__main__":
    unittest.main()
