// Prints how each function of cairn.h is written in TypeScript, as JSON:
//
//     node signatures.mjs FOLDER      the folder of build.mjs
//
//     {"cn_body_velocity": ["body.velocity: Vec2"], "cn_body_set_velocity": ["body.velocity = ..."], ...}
//
// api.json has the names. TypeScript reads the declarations of the built package and finds the name
// in them. A name that is not there is an error. A function with overloads has a line for each.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const folder = resolve(process.argv[2]), require = createRequire(join(folder, "tools/package.json"));
const ts = require("typescript");
const api = JSON.parse(readFileSync(new URL("../api.json", import.meta.url), "utf8"));
const entry = join(folder, "package/index.d.ts");
const program = ts.createProgram([entry], { target: ts.ScriptTarget.ESNext, types: [] }), checker = program.getTypeChecker();
const source = program.getSourceFile(entry);
if (!source) throw new Error(`signatures.mjs: there is no ${entry}`);
const exported = new Map(checker.getExportsOfModule(checker.getSymbolAtLocation(source)).map(s => [s.name, original(s)]));

function original(symbol) {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

// The types of the user's data are left out: Body, not Body<D>.
const isData = node => node.kind === ts.SyntaxKind.UnknownKeyword ||
  ts.isTypeReferenceNode(node) && checker.getTypeFromTypeNode(node).flags & ts.TypeFlags.TypeParameter;
const leaveOutData = context => function visit(node) {
  const kept = ts.isTypeReferenceNode(node) && node.typeArguments?.filter(argument => !isData(argument));
  const shown = kept ? context.factory.updateTypeReferenceNode(node, node.typeName, kept.length ? context.factory.createNodeArray(kept) : undefined) : node;
  return ts.visitEachChild(shown, visit, context);
};
const printer = ts.createPrinter({ removeComments: true });

function text(node) {
  const [shown] = ts.transform(node, [leaveOutData]).transformed;
  return printer.printNode(ts.EmitHint.Unspecified, shown, node.getSourceFile()).replace(/\s+/g, " ").replaceAll("; }", " }");
}

const parameters = node => node.parameters.map(text).join(", ");
const result = node => node.type ? `: ${text(node.type)}` : "";

// The line for one declaration. `place` is what stands in front of the name.
function line(node, place, name) {
  if (ts.isConstructorDeclaration(node)) return `new ${name}(${parameters(node)})`;
  if (ts.isSetAccessor(node)) {
    const [value] = node.parameters;
    return `${place}${name} = ${text(value.name)} // ${text(value.type)}`;
  }
  return node.parameters && !ts.isGetAccessor(node) ? `${place}${name}(${parameters(node)})${result(node)}` : `${place}${name}${result(node)}`;
}

// The declarations of a class or an inherited class that make objects.
function constructors(symbol) {
  return checker.getTypeOfSymbol(symbol).getConstructSignatures().map(s => s.declaration).filter(Boolean);
}

// The lines of a function with the name `Class.word`, `Class` or `word`.
function find(name, isSetter) {
  const [first, word] = name.split("."), symbol = exported.get(first);
  if (!symbol) return [];
  if (!word) {
    const nodes = symbol.flags & ts.SymbolFlags.Class ? constructors(symbol) : symbol.declarations;
    return nodes.map(node => line(node, "", first));
  }
  const member = checker.getPropertyOfType(checker.getDeclaredTypeOfSymbol(symbol), word);
  const found = member ?? checker.getPropertyOfType(checker.getTypeOfSymbol(symbol), word);
  const place = member ? first[0].toLowerCase() + first.slice(1) : first;
  return (found?.declarations ?? []).filter(node => isSetter ? ts.isSetAccessor(node) : !ts.isSetAccessor(node))
    .map(node => line(node, `${place}.`, word));
}

const lines = {};
for (const { name, names: { js } } of api.functions.filter(f => f.names.js)) {
  const isSetter = name.includes("_set_") && !/\.set[A-Z]/.test(js);
  lines[name] = find(js, isSetter);
  if (!lines[name].length) throw new Error(`signatures.mjs: the package has no ${js} for ${name}`);
}
console.log(JSON.stringify(lines, null, 1));
