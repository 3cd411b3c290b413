"""The rules that say what a parameter, field or result is: its kind. describe.py explains them.

A Kinds object describes variables by their types in C, and by annotations where types do not say
it. It collects the callbacks that it meets. An unknown type is an error.
"""
import re

from header_reader import fail, hide_comments, normalise, split_arguments

NUMBERS = ("float", "double", "int", "size_t", "int8_t", "uint8_t", "int16_t", "uint16_t",
           "int32_t", "uint32_t", "int64_t", "uint64_t")
VECTOR = "vec2s"


def is_plural(name):
    return name.endswith("s") and not name.endswith("ss")


def singular(name):
    return name[:-3] + "y" if name.endswith("ies") else name.rstrip("s")


class Variable:
    """A parameter or field: its place, its name, its type, and its text if it has one."""

    def __init__(self, place, name, ctype, text=""):
        self.place, self.name, self.type, self.text = place, name, normalise(ctype), text
        self.path = f"{place}.{name}"


class Annotations:
    """Tables of facts that do not follow from types and rules. Remembers which entries were
    used."""

    def __init__(self, tables):
        self.tables = {key: table if isinstance(table, dict) else dict.fromkeys(table.split(), True)
                       for key, table in tables.items()}
        self.applied = set()

    def find(self, table, path):
        """The annotation of a path in a table, or None. "*.NAME" is for this name everywhere."""
        for key in (path, "*." + path.split(".")[-1]):
            if key in self.tables[table]:
                self.applied.add((table, key))
                return self.tables[table][key]
        return None

    def check(self):
        """An annotation that was not used is an error."""
        for table, entries in self.tables.items():
            for key in entries:
                if (table, key) not in self.applied:
                    fail(key, f"the annotation in {table} is not used")


class Kinds:
    """Describes variables."""

    def __init__(self, annotations, kind_of, function_types):
        self.annotations = annotations
        self.kind_of = kind_of  # the kinds of all types that have a name
        self.function_types = function_types  # by name
        self.callbacks = []

    def value(self, path, ctype):
        """Describes a type that is no pointer."""
        ctype = re.sub(r"^const ", "", ctype)
        kind = self.kind_of.get(ctype)
        if kind in (None, "object"):
            fail(path, f"unknown type {ctype}")
        return {"kind": kind} if kind in ("void", "bool") else {"kind": kind, "type": ctype}

    def until(self, variable, default):
        return self.annotations.find("until", variable.place) or default

    def signature(self, place, text, ctype):
        """Describes a function type: its text has the names, and its type in clang must agree."""
        match = re.fullmatch(r"(?:typedef )?([^(]*?)(?:\(\*\s*\w+\)|\b\w+)\s*\((?!\*)(.*)\)",
                             hide_comments(text), re.DOTALL)
        if not match:
            fail(place, f"cannot read {text!r}")
        variables = []
        for part in split_arguments(match[2]):
            parameter = re.fullmatch(r"(.*?)(\w+)", part, re.DOTALL)
            if not parameter or not parameter[1].strip() or "(" in part:
                fail(place, f"a parameter without a name, or with an unknown type: {part!r}")
            variables.append(Variable(place, parameter[2], parameter[1]))
        ctype = normalise(ctype)
        inner = re.fullmatch(r"(.*?) ?(?:\(\*\))? ?\((.*)\)", ctype)
        types = [normalise(t) for t in split_arguments(inner[2])]
        if "..." in types:
            fail(place, "a variable number of arguments")
        if types != [v.type for v in variables] or normalise(inner[1]) != normalise(match[1]):
            fail(place, f"{text!r} and {ctype!r} differ")
        result = self.returns(place, normalise(match[1]), variables)
        return {"returns": result, "parameters": self.variables(variables, "callback")}

    def returns(self, place, ctype, variables):
        """Describes what a function returns."""
        annotation = self.annotations.find("kinds", f"{place}.returns")
        if annotation:
            return dict(annotation)
        variable = Variable(place, "returns", ctype)
        base, stars = re.fullmatch(r"(.*?) ?(\**)", ctype).groups()
        if not stars:
            result = self.value(variable.path, ctype)
            arrays = [v.name for v in variables
                      if v.type.endswith("*") and self.find_size(v, variables, "capacity")]
            if arrays and result.get("type") in ("int", "size_t"):
                return {"kind": "total", "type": result["type"], "of": arrays}
            is_success = result["kind"] == "bool" and self.effect(place, variables) != "reads" \
                and "." not in place and any(self.is_object(v, False) for v in variables)
            return {"kind": "success"} if is_success else result
        if stars == "*" and self.kind_of.get(base) == "object":
            return {"kind": "object", "type": base, "until": "freed"}
        if ctype == "const char *":
            until = self.until(variable, None) or fail(place, "a string, valid for how long?")
            return {"kind": "string", "until": until}
        return fail(place, f"returns an unknown pointer, {ctype}")

    @staticmethod
    def find_size(variable, variables, wanted):
        """The name of the count or capacity (as wanted) that belongs to a pointer, or None."""
        is_bytes = variable.type in ("void *", "const void *")
        number = "size_t" if is_bytes else "int"
        name = "size" if is_bytes and wanted == "count" else wanted
        after = variables[variables.index(variable) + 1:][:1]
        if after and (after[0].name, after[0].type) == (name, number):
            return name
        names = {v.name for v in variables if v.type == "int"}
        for name in (f"{variable.name}_{wanted}", f"{singular(variable.name)}_{wanted}"):
            if name in names and not is_bytes:
                return name
        return None

    def variables(self, variables, role):
        """Describes parameters or fields; role: call, callback or field."""
        result = [{"name": v.name, **self.variable(v, variables, role)} for v in variables]
        by_name = {entry["name"]: entry for entry in result}
        for entry in result:
            for key in ("count", "capacity"):
                size = by_name.get(entry.get(key))
                if size is None or entry["kind"] in ("count", "capacity"):
                    continue
                if size["kind"] == "number":
                    size["kind"] = key
                    size["of"] = []
                if size["kind"] == key:
                    size["of"].append(entry["name"])
        if role != "callback":
            self.find_users(result)
        return result

    @staticmethod
    def find_users(entries):
        """A user pointer goes to the callbacks beside it."""
        callbacks = [e["name"] for e in entries if e["kind"] == "callback"]
        for entry in entries:
            if entry["kind"] == "user" and callbacks:
                entry["of"] = callbacks

    def variable(self, variable, variables, role):
        """Describes a parameter or field."""
        ctype, path = variable.type, variable.path
        annotation = self.annotations.find("kinds", path)
        if annotation:
            return dict(annotation)
        match = re.fullmatch(r"(.*)\[(\d+)\]", ctype)
        if match:
            return self.inline_array(variable, match[1], int(match[2]), role)
        if "(" in ctype:
            return self.callback(variable)
        base, stars = re.fullmatch(r"(.*?) ?(\**)", ctype).groups()
        if not stars:
            return self.plain(variable, role)
        if len(stars) > 1 or "*" in base:
            fail(path, f"an unknown pointer, {ctype}")
        is_const = base.startswith("const ")
        base = base.replace("const ", "")
        return self.pointer(variable, variables, base, is_const, role)

    def plain(self, variable, role):
        result = self.value(variable.path, variable.type)
        if result["kind"] == "handle":
            if self.annotations.find("null", variable.path):
                result["null"] = True
            if role == "call" and variable.place.endswith("_valid"):
                result["any"] = True
        return result

    def inline_array(self, variable, base, length, role):
        if role != "field" or "[" in base:
            fail(variable.path, f"an unknown array, {variable.type}")
        if base == "const char *":
            until = self.until(variable, None) or fail(variable.path, "strings for how long?")
            element = {"kind": "string", "until": until}
        elif "*" in base:
            fail(variable.path, f"an array of unknown pointers, {variable.type}")
        else:
            element = self.value(variable.path, base)
        result = {"kind": "inline_array", "of": element, "length": length}
        used = self.annotations.find("used", variable.path)
        return {**result, "used": used} if used else result

    def callback(self, variable):
        """Describes a pointer to a function."""
        if not re.match(r"[^(]*\(\*\)", variable.type):
            fail(variable.path, f"an unknown type, {variable.type}")
        self.add_callback(variable.path, variable.text, variable.type, {"name": variable.path})
        return {"kind": "callback", "callback": variable.path, "null": True,
                "until": self.until(variable, "return")}

    def add_callback(self, path, text, ctype, entry):
        """Describes a function type. The entry has what is known about it already."""
        entry.update(self.signature(path, text, ctype))
        entry["may_call"] = self.annotations.find("may_call", path) or \
            fail(path, "which functions may this callback call?")
        is_any = self.annotations.find("any_thread", path)
        entry["threads"] = "any" if is_any else "caller"
        self.callbacks.append(entry)

    def pointer(self, variable, variables, base, is_const, role):
        """Describes a pointer that is neither a result nor in an array nor a function."""
        path = variable.path
        until = "return" if role == "callback" else self.until(variable, "return")
        null = {"null": True} if self.annotations.find("null", variable.path) else {}
        annotation = self.annotations.find("counts", path)
        count = annotation or self.find_size(variable, variables, "count")
        capacity = self.find_size(variable, variables, "capacity")
        if self.kind_of.get(base) == "object":
            return {"kind": "object", "type": base, "const": is_const, **null}
        if base in self.function_types:
            return {"kind": "callback", "callback": base, "until": "freed"}
        if base == "char" and is_const:
            return {"kind": "string", **null, "until": until}
        if base == "void":
            if count and is_const:
                return {"kind": "bytes", "count": count, **null, "until": until}
            if capacity and not is_const:
                return {"kind": "out_bytes", "capacity": capacity, "null": True, "until": until}
            if variable.name == "user" and not is_const:
                life = {} if role == "callback" else {"until": until}
                return {"kind": "user", "null": True, **life}
            fail(path, "an unknown pointer to void")
        value = self.value(path, base)
        if count and is_const:
            return {"kind": "array", "of": value, "count": count, **null, "until": until}
        if role == "field":
            fail(path, f"an unknown pointer, {variable.type}; or its count is missing")
        if annotation and not is_const:
            return {"kind": "out_array", "of": value, "count": count, **null, "until": until}
        if capacity and not is_const:
            return {"kind": "out_array", "of": value, "capacity": capacity, "null": True,
                    "until": until}
        if self.annotations.find("out", path) and not is_const:
            return {"kind": "out", "to": value, **null, "until": until}
        if is_const and value["kind"] == "struct" and base != VECTOR:
            if not is_plural(variable.name) or variable.name == base[len("cn_"):]:
                return {"kind": "pointer", "to": value, **null, "until": until}
            fail(path, f"{variable.type}: its name is a plural, but there is no count")
        return fail(path, f"an unknown pointer, {variable.type}")

    def is_object(self, variable, is_const):
        """True for a pointer to an opaque struct that is const or not, or for a list of them."""
        match = re.fullmatch(r"(const )?(\w+) \*(?:const \*)?", variable.type)
        return match and self.kind_of.get(match[2]) == "object" and bool(match[1]) == is_const

    def effect(self, name, variables):
        for effect in ("lends", "thread"):
            if self.annotations.find(effect, name):
                return effect
        if any(self.is_object(v, False) for v in variables):
            return "changes"
        return "reads" if any(self.is_object(v, True) for v in variables) else "none"


def types_in(entry):
    """The structs that a parameter, field or result contains or points to."""
    for part in (entry, entry.get("to", {}), entry.get("of", {})):
        if isinstance(part, dict) and part.get("kind") in ("struct", "handle"):
            yield part["type"]


def add_uses(structs, functions, callbacks):
    """Adds to each struct whether the user passes it or gets it."""
    by_name = {s["name"]: s for s in structs}
    uses = {name: set() for name in by_name}

    def use(entry, role):
        for name in types_in(entry):
            if role not in uses[name]:
                uses[name].add(role)
                for field in by_name[name]["fields"]:
                    use(field, role)

    for signatures, given, taken in ((functions, "in", "out"), (callbacks, "out", "in")):
        for signature in signatures:
            use(signature["returns"], taken)
            for parameter in signature["parameters"]:
                is_out = parameter["kind"] in ("out", "out_array")
                use(parameter, taken if is_out else given)
    for struct in structs:
        struct["used"] = sorted(uses[struct["name"]])


def c_type(entry, callbacks, name=""):
    """The declaration, in C, of a name with the type of a parameter, field or result."""
    kind, base = entry["kind"], entry.get("type", "")
    if kind == "callback":
        if "." not in entry["callback"]:
            return f"{entry['callback']} *{name}"
        callback = next(c for c in callbacks if c["name"] == entry["callback"])
        types = ", ".join(c_type(p, callbacks) for p in callback["parameters"]) or "void"
        return c_type(callback["returns"], callbacks, f"(*{name})({types})")
    if kind == "inline_array":
        return c_type(entry["of"], callbacks, f"{name}[{entry['length']}]")
    if kind == "array" and entry["of"]["kind"] == "object":
        return c_type(entry["of"], callbacks, f"const *{name}")
    if kind in ("pointer", "array"):
        return "const " + c_type(entry.get("to") or entry["of"], callbacks, f"*{name}")
    if kind in ("out", "out_array"):
        return c_type(entry.get("to") or entry["of"], callbacks, f"*{name}")
    if kind == "object":
        return f"{'const ' if entry.get('const') else ''}{base} *{name}"
    plain = {"success": "bool", "bool": "bool", "void": "void", "string": "const char *",
             "bytes": "const void *", "out_bytes": "void *", "user": "void *",
             "context": "void *", "memory": "void *"}
    return f"{plain.get(kind, base)} {name}".replace("* ", "*").rstrip()
