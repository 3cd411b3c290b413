"""How the functions of cairn.h are called in other languages, read from the sources of a binding.

In a binding, a public method or function reaches each function of C that its body calls, directly
or through private functions. Of these, the one with the name that api.json has for the language is
shown. Functions that the language replaces, such as those for errors, are listed by hand.
"""
import ast
import re


def words(name):
    """The words of a name in any style, in lower case."""
    return [w.lower() for w in re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", name)]


def shorten(signature):
    """A signature without types and arguments."""
    match = re.match(r"(?:new )?[\w.]+(?:\[.*?\])?", signature)
    if not match:
        return signature
    return match[0] + "()" * signature.startswith("(", match.end())


class Reach:
    """`places` maps a function of C to the methods and functions that reach it: (owner, name,
    signature). `errors` has a text for each function that the language replaces, by exceptions for
    example."""

    language, errors = "", {}

    def __init__(self, api):
        self.names = {name: api.entries[name][1]["names"][self.language] for name in api.functions}
        self.functions = set(api.functions)
        self.private = {}  # private function: the functions of C that it reaches
        self.places = {}

    def add(self, function, owner, name, signature):
        found = self.places.setdefault(function, [])
        if (owner, name, signature) not in found:
            found.append((owner, name, signature))

    def find(self, function):
        """The signatures of the method or function that has the name of a function of C and reaches
        it. A constructor has the name of its class. It may also set a field of the name."""
        if function in self.errors:
            return [self.errors[function]]
        owner, _, name = (self.names[function] or "").rpartition(".")
        wanted = (name, "") if not owner and name[:1].isupper() else (owner, name)
        places = self.places.get(function, [])
        found = [signature for *place, signature in places if tuple(place) == wanted]
        is_field = not found and any(place[:2] == (owner, "") for place in places if owner)
        return [f"{owner.lower()}.{name}"] if is_field else found


# ---- Python

class Python(Reach):
    """Reads the modules of the package cairn2d, which is in a folder."""

    language = "python"
    errors = {"cn_error": "error.text  # of a cn.CairnError",
              "cn_error_code": "error.kind  # of a cn.CairnError",
              "cn_error_clear": "# not needed: errors are exceptions",
              "cn_world_callbacks": "world.filter, world.pre_solve, world.before_step"}

    def __init__(self, folder, api):
        super().__init__(api)
        package = folder if (folder / "__init__.py").exists() else folder / "cairn2d"
        trees = [ast.parse(path.read_text("utf-8")) for path in sorted(package.glob("*.py"))
                 if path.name not in ("_abi.py", "_many.py", "_many_base.py")]
        for tree in trees:
            self.read(tree, self.read_private)
        for tree in trees:
            self.read(tree, self.read_place)

    @staticmethod
    def read(tree, visit):
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                for inner in node.body:
                    if isinstance(inner, ast.FunctionDef):
                        visit(node.name, inner)
            elif isinstance(node, ast.FunctionDef):
                visit(None, node)

    def reached(self, node):
        """The functions that a body names, directly or through private functions, in order."""
        found = []
        for inner in ast.walk(node):
            name = inner.id if isinstance(inner, ast.Name) else \
                inner.attr if isinstance(inner, ast.Attribute) else None
            name = name.removeprefix("_") if name and name.startswith("_cn_") else name
            if name in self.functions:
                found.append(name)
            elif name in self.private:
                found += self.private[name]
            elif isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name):
                found += self.private.get(f"new {inner.func.id}", [])
        return dict.fromkeys(found)

    def read_private(self, owner, node):
        if node.name == "__init__":
            self.private[f"new {owner}"] = list(self.reached(node))
        hidden = node.name.startswith("_") and not node.name.startswith("__")
        if hidden and node.name not in ("_list", "_start"):
            self.private[node.name] = list(self.reached(node))

    def read_place(self, owner, node):
        is_new = node.name == "__init__"
        if node.name.startswith("_") and not is_new and node.name not in (
                "__getitem__", "__setitem__"):
            return
        owner = re.sub(r"Calls$|Base$", "", owner) if owner else None
        for function in self.reached(node):
            self.add(function, owner or "", "" if is_new else node.name,
                     self.signature(owner, node))

    @staticmethod
    def instance(owner):
        snake = "_".join(words(owner))
        return {"joint_coordinate": "joint.angle"}.get(snake, snake)

    def signature(self, owner, node):
        decorators = [ast.unparse(d) for d in node.decorator_list]
        result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
        parameters = [self.parameter(a) for a in node.args.posonlyargs + node.args.args
                      if a.arg not in ("self", "cls")]
        for argument, default in zip(reversed(parameters), reversed(node.args.defaults)):
            place = len(parameters) - 1 - list(reversed(parameters)).index(argument)
            parameters[place] = f"{argument} = {ast.unparse(default)}"
        if node.args.kwonlyargs:
            parameters += ["*"] + [self.parameter(a) for a in node.args.kwonlyargs]
        if node.args.kwarg:
            kinds = re.search(r"\w+(?=\])", ast.unparse(node.args.kwarg.annotation))
            parameters.append(f"**{kinds[0] if kinds else node.args.kwarg.arg}")
        inside = ", ".join(parameters)
        if not owner:
            return f"cn.{node.name}({inside}){result}"
        me = self.instance(owner)
        if node.name == "__init__":
            return f"cn.{owner}({inside})"
        if any(d in ("staticmethod", "classmethod") for d in decorators):
            return f"cn.{owner}.{node.name}({inside}){result}"
        if node.name == "__getitem__":
            return f"{me}[x, y]{result}"
        if node.name == "__setitem__":
            return f"{me}[x, y] = solid"
        if "property" in decorators:
            return f"{me}.{node.name}{result}"
        if any(d.endswith(".setter") for d in decorators):
            name, _, kind = inside.partition(": ")
            return f"{me}.{node.name} = {name}" + (f"  # {kind}" if kind else "")
        return f"{me}.{node.name}({inside}){result}"

    @staticmethod
    def parameter(argument):
        text = ast.unparse(argument.annotation) if argument.annotation else ""
        text = text.replace(" | Mapping[str, Any] | Sequence[Any]", "")
        return f"{argument.arg}: {text}" if text else argument.arg


# ---- JavaScript

MEMBER = re.compile(r"  (?P<hidden>private )?(?P<words>(?:static |override |async |readonly )*)"
                    r"(?P<accessor>get |set )?(?P<name>\w+|\[Symbol\.\w+\])(?P<generic><.*?>)?\(")
FUNCTION = re.compile(r"export (?:async )?function (?P<name>\w+)\(")
CLASS = re.compile(r"export (?:abstract )?class (?P<name>\w+)")


class JavaScript(Reach):
    """Reads the TypeScript sources in the folder src of a build of the package. There each member
    of a class is indented by two blanks, and a body ends with a line of its indentation."""

    language = "js"
    errors = {"cn_error": "error.message // of a CairnError",
              "cn_error_code": "error.kind // of a CairnError",
              "cn_error_clear": "// not needed: errors are exceptions",
              "cn_error_set_hook": "// not needed: every call that fails throws",
              "cn_world_callbacks": "world.filter, world.preSolve, world.beforeStep"}

    def __init__(self, folder, api):
        super().__init__(api)
        names = (folder / "src" / "api.ts").read_text("utf-8")
        found = []
        for path in sorted((folder / "src").glob("*.ts")):
            found += self.read(self.plain(path.read_text("utf-8")).split("\n"))
        for m in found:
            if not m["owner"] and not re.search(rf"\b{m['name']}\b", names):
                m["hidden"] = True
        hidden = [m for m in found if m["hidden"]]
        for _ in range(2):  # a private function may call another
            for m in hidden:
                self.private[m["key"]] = self.reached(m["body"])
        for m in found:
            if not m["hidden"]:
                for function in self.reached(m["body"]):
                    self.add(function, m["owner"], m["name"], m["signature"])

    @staticmethod
    def plain(text):
        """The text without the types of data: Body<D> is a Body."""
        return re.sub(r"<D( = Data)?>|, D(?=>)|(?<=World)<unknown>", "", text)

    def reached(self, body):
        found = []
        for name in re.findall(r"new \w+|\b\w+", body):
            if name in self.functions:
                found.append(name)
            elif name in self.private:
                found += self.private[name]
        return list(dict.fromkeys(found))

    def read(self, lines):
        """The functions and the members of classes, as dictionaries."""
        found, owner, internal, overload = [], "", False, None
        for i, line in enumerate(lines):
            if CLASS.match(line):
                owner, overload = re.sub("Calls$", "", CLASS.match(line)["name"]), None
            elif line == "}":
                owner = ""
            match = MEMBER.match(line) if owner else FUNCTION.match(line)
            if match and owner and match["name"] == "constructor" and line.endswith(";"):
                overload = overload or self.brackets(line, match.end() - 1)
            if match and not line.rstrip().endswith((";", ")")):
                indent = "  " if owner else ""
                end = i if line.count("{") == line.count("}") else next(
                    k for k in range(i + 1, len(lines)) if lines[k] == indent + "}")
                found.append(self.member(owner, match, lines[i], lines[i:end + 1], internal))
                if found[-1]["name"] == "" and overload:
                    found[-1].update(signature=f"new {owner}({overload})", hidden=False)
            internal = "@internal" in line
        return found

    def member(self, owner, match, head, body, internal):
        parts = match.groupdict()
        name, accessor = parts["name"], parts.get("accessor")
        is_new = name == "constructor"
        inside = re.sub(r"private |readonly ", "", self.brackets(head, match.end() - 1))
        result = head[match.end() + len(self.brackets(head, match.end() - 1)) + 1:]
        result = re.sub(r" \{( return .*\}| [^:]*\})?$", "", result)
        me = owner[:1].lower() + owner[1:]
        if is_new:
            signature = f"new {owner}({inside})"
        elif accessor == "get ":
            signature = f"{me}.{name}{result}"
        elif accessor == "set ":
            value, _, kind = inside.partition(": ")
            signature = f"{me}.{name} = {value} // {kind}"
        elif not owner:
            signature = f"{name}({inside}){result}"
        else:
            place = owner if "static" in parts["words"] else me
            signature = f"{place}.{name}({inside}){result}"
        hidden = internal or parts.get("hidden")
        return {"owner": owner, "name": "" if is_new else name, "signature": signature,
                "body": "\n".join(body), "hidden": bool(hidden),
                "key": f"new {owner}" if is_new else name}

    @staticmethod
    def brackets(text, start):
        """The text between the bracket at a place and the bracket that closes it."""
        depth = 0
        for i in range(start, len(text)):
            depth += (text[i] in "([{") - (text[i] in ")]}")
            if depth == 0:
                return text[start + 1:i]
        return text[start + 1:]
