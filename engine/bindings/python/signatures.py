#!/usr/bin/env python3
"""Prints how each function of cairn.h is written in Python, as JSON:

    signatures.py FOLDER      the folder with the built package cairn2d

    {"cn_body_velocity": ["body.velocity -> Vec2"], "cn_body_set_velocity": [...], ...}

api.json has the names. The package is imported, and the module inspect of Python's library reads
the annotations of what has the name. A name that is not there is an error. Batch needs numpy.
"""
import enum
import inspect
import json
import pathlib
import re
import sys

API = pathlib.Path(__file__).resolve().parents[1] / "api.json"
INSTANCES = {"JointCoordinate": "joint.angle"}


def instance_of(owner):
    """The name of a variable for an object of a class."""
    return INSTANCES.get(owner) or re.sub(r"(?<=[a-z])(?=[A-Z])", "_", owner).lower()


def show_type(annotation):
    """An annotation in short: a definition may also be a mapping or a sequence."""
    return annotation.replace(" | Mapping[str, Any] | Sequence[Any]", "")


def show_default(value):
    if isinstance(value, enum.Enum):
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, float) and len(repr(value)) > 6 and 1 / round(1 / value) == value:
        return f"1 / {round(1 / value)}"
    return repr(value)


def show_parameter(parameter):
    text = "" if parameter.annotation is parameter.empty else show_type(parameter.annotation)
    if parameter.kind is parameter.VAR_KEYWORD:  # the fields of a struct
        fields = re.search(r"\w+(?=\])", text)
        return f"**{fields[0] if fields else parameter.name}"
    text = parameter.name + (f": {text}" if text else "")
    if parameter.default is parameter.empty:
        return text
    return f"{text} = {show_default(parameter.default)}"


def show_parameters(function, bound):
    """The parameters in brackets, without the object that the function is bound to."""
    parameters = list(inspect.signature(function).parameters.values())[bound:]
    shown = [show_parameter(p) for p in parameters]
    first = next((i for i, p in enumerate(parameters) if p.kind is p.KEYWORD_ONLY), None)
    if first is not None:
        shown.insert(first, "*")
    return f"({', '.join(shown)})"


def show_result(function):
    returns = inspect.signature(function).return_annotation
    return "" if returns is inspect.Signature.empty else f" -> {returns}"


def show_property(place, member, is_setter):
    if not is_setter:
        return place + show_result(member.fget)
    value = list(inspect.signature(member.fset).parameters.values())[1]
    return f"{place} = {value.name}  # {show_type(value.annotation)}"


def show(module, name, is_setter):
    """The line for a function with the name `Class.word`, `Class` or `word`."""
    owner, _, word = name.rpartition(".")
    thing = getattr(module, owner or word)
    if not owner:
        if isinstance(thing, type):
            return f"cn.{word}{show_parameters(thing.__init__, 1)}"
        return f"cn.{word}{show_parameters(thing, 0)}{show_result(thing)}"
    member = inspect.getattr_static(thing, word)
    if isinstance(member, property):
        return show_property(f"{instance_of(owner)}.{word}", member, is_setter)
    if not callable(getattr(thing, word)):  # a field of the object
        return f"{instance_of(owner)}.{word}"
    is_static = isinstance(member, (staticmethod, classmethod))
    place = f"cn.{owner}" if is_static else instance_of(owner)
    function, bound = getattr(thing, word), 0 if is_static else 1
    return f"{place}.{word}{show_parameters(function, bound)}{show_result(function)}"


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    sys.path.insert(0, str(folder))
    import cairn2d
    lines = {}
    for function in json.loads(API.read_text("utf-8"))["functions"]:
        name = function["names"]["python"]
        if name and not (name.startswith("Batch.") and not hasattr(cairn2d, "Batch")):
            is_setter = "_set_" in function["name"] and ".set_" not in name
            try:
                lines[function["name"]] = [show(cairn2d, name, is_setter)]
            except AttributeError:
                sys.exit(f"signatures.py: the package has no {name} for {function['name']}")
    print(json.dumps(lines, indent=1))


if __name__ == "__main__":
    main()
