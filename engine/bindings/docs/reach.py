"""How the functions of cairn.h are called in other languages, read from the sources of a binding.

Nothing is listed here by hand. In a binding, a public method or function reaches each function of C
that its body calls, directly or through private helpers. So the reference shows what there is.
"""
import ast
import re

SHOWN = 3  # signatures of a function at most: the ones whose names are nearest to the C name


def words(name):
    """The words of a name in any style, in lower case."""
    return re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", name) and [
        w.lower() for w in re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", name)]


class Reach:
    """`places` maps a function of C to what reaches it: (owner, name, signature). `common` are
    objects that everything is called on: their names say nothing."""

    def __init__(self):
        self.places = {}

    def add(self, function, owner, name, signature):
        found = self.places.setdefault(function, [])
        if (owner, name, signature) not in found:
            found.append((owner, name, signature))

    def find(self, function):
        """The signatures that reach a function best: those whose words are in its name."""
        wanted = set(words(function)) - {"cn", "get", "set"}

        def distance(place):
            own = set(words(place[1])) | set(words(place[0]))
            return len(wanted ^ (own - {"get", "set"}))
        places = sorted(self.places.get(function, []), key=distance)
        best = [p for p in places if distance(p) == distance(places[0])]
        return [signature for _, _, signature in best[:SHOWN]]


# ---- Python

INSTANCES = {"Joint_Coordinate": "joint.angle"}


class Python(Reach):
    """Reads the modules of the package cairn2d."""

    def __init__(self, folder, api):
        super().__init__()
        self.functions = set(api.functions)
        self.helpers = {}  # private method: functions that it reaches
        package = folder if (folder / "__init__.py").exists() else folder / "cairn2d"
        trees = [ast.parse(path.read_text("utf-8")) for path in sorted(package.glob("*.py"))
                 if path.name not in ("_abi.py", "_many.py", "_many_base.py", "batch.py")]
        for tree in trees:
            self.read(tree, self.read_helper)
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
        """The functions that a body names, directly or through helpers, in order."""
        found = []
        for inner in ast.walk(node):
            name = inner.id if isinstance(inner, ast.Name) else \
                inner.attr if isinstance(inner, ast.Attribute) else None
            name = name.removeprefix("_") if name and name.startswith("_cn_") else name
            if name in self.functions:
                found.append(name)
            elif name in self.helpers:
                found += self.helpers[name]
        return dict.fromkeys(found)

    def read_helper(self, owner, node):
        hidden = node.name.startswith("_") and not node.name.startswith("__")
        if hidden and node.name not in ("_list", "_start"):
            self.helpers[node.name] = list(self.reached(node))

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
            return f"{me}[x, y] = {parameters[-1]}"
        if "property" in decorators:
            return f"{me}.{node.name}{result}"
        if any(d.endswith(".setter") for d in decorators):
            return f"{me}.{node.name} = {inside}"
        return f"{me}.{node.name}({inside}){result}"

    @staticmethod
    def parameter(argument):
        text = ast.unparse(argument.annotation) if argument.annotation else ""
        text = text.replace(" | Mapping[str, Any] | Sequence[Any]", "")
        return f"{argument.arg}: {text}" if text else argument.arg
