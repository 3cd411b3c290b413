// Writes calls.ts, which has everything that follows from api.json, and api.ts, which exports the
// names for users.
//
//     generate.mjs API-JSON CALLS-TS API-TS
//
// calls.ts has the functions of cairn.h as raw exports of the WebAssembly module, the structs as
// types with functions that read and write them, and a class for each kind of object. The class has
// the regular functions of cairn.h as properties and methods. world.ts derives the public classes
// from these and adds the functions in HANDWRITTEN. Unknown kinds of parameters are errors, so a
// new function in cairn.h is either in the result or stops the build. All names are those that
// api.json has for JavaScript.
//
// Rules:
//   cn_body_mass_data(world, body)         get massData, and massDataInto(out)
//   cn_body_set_mass_data(world, body, m)  set massData
//   cn_body_apply_force(world, body, ...)  applyForce(...)
//   cn_hull_distance(a, pose_a, b, pose_b) Hull.distance(poseA, b, poseB)
//   cn_revolute_joint(world, a, b, point)  revoluteJoint(a, b, point)
//   an array with its capacity             the result is an array
//   a struct that begins with hit or found the result is null if that is false
import { readFileSync, writeFileSync } from "node:fs";

const api = JSON.parse(readFileSync(process.argv[2], "utf8"));

// Functions that world.ts calls itself.
const HANDWRITTEN = new Set(`
  cn_error cn_error_code cn_error_clear cn_error_set_hook
  cn_world_create cn_world_destroy cn_world_load cn_world_step cn_worlds_step cn_world_advance
  cn_world_callbacks cn_world_set_callbacks cn_world_events cn_world_draw cn_world_poses cn_world_save cn_world_restore
  cn_recording_begin cn_recording_end cn_recording_cut
  cn_rollback_create cn_rollback_destroy cn_rollback_rewind
  cn_replay_create cn_replay_destroy cn_replay_world cn_replay_rest
  cn_body_create cn_shape_create cn_joint_create cn_chain_create cn_grid_create
  cn_body_destroy cn_shape_destroy cn_joint_destroy cn_chain_destroy cn_grid_destroy
  cn_world_next_body cn_world_next_shape cn_world_next_joint cn_world_next_chain
  cn_body_next_shape cn_body_next_joint cn_body_next_chain cn_chain_next_segment`.trim().split(/\s+/));
// Methods, not properties: their work depends on the size of the world.
const METHODS = new Set(["cn_world_hash", "cn_world_energy", "cn_world_counters", "cn_world_profile"]);
// Not in JavaScript: memory and threads are those of the page, errors are exceptions, and objects
// have `data` instead of numbers.
const LEFT_OUT = new Set(`cn_world_def.allocator cn_world_def.tasks cn_hull.failure
  cn_joint_def.failure cn_side.body_user_data cn_side.shape_user_data cn_body_event.user_data
  cn_move_event.user_data cn_joint_event.user_data cn_body_state.user_data`.trim().split(/\s+/));
// Handles and structs of results that may be null.
const NULLABLE = new Set(`cn_side.shape cn_side.grid cn_side.chain cn_difference.body cn_difference.shape
  cn_difference.joint cn_difference.grid cn_desync.body cn_coupling.other cn_move.ground cn_ride.body
  cn_world_body_in_slot cn_world_shape_in_slot cn_world_joint_in_slot cn_world_grid_in_slot cn_world_chain_in_slot
  cn_shape_chain`.trim().split(/\s+/));
// Definitions that may have a field of the user.
const DATA = new Set(["cn_body_def", "cn_shape_def", "cn_joint_def", "cn_chain_def", "cn_grid_def"]);
// Numbers of 64 bits that stay below 2^53.
const SMALL = new Set(["cn_counters.steps", "cn_counters.allocations"]);
// Structs that wasm.ts reads and writes by hand.
const BY_HAND = new Set(["vec2s", "cn_pose", "cn_hull"]);
// Structs with pointers that world.ts handles by itself.
const UNREAD = new Set(["cn_allocator", "cn_task_system", "cn_events", "cn_drawing",
  "cn_callbacks", "cn_recording_sink"]);

function fail(place, what) {
  throw new Error(`generate.mjs: ${place}: ${what}`);
}
const used = new Set();
const listed = (set, name) => set.has(name) && !!used.add(name);

// ---- names

const camel = name => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
const pascal = name => {
  const short = camel(name === "vec2s" ? "vec2" : name.replace(/^cn_/, ""));
  return short[0].toUpperCase() + short.slice(1);
};
const wasm32 = value => typeof value === "object" ? value.wasm32 : value;
const handles = new Map(api.handles.map(h => [h.type, h]));
const structs = new Map(api.structs.map(s => [s.name, s]));
const sizeOf = name => wasm32(structs.get(name).size);

// The values of an enumeration without the words that all of them begin with.
function valueNames(entry) {
  const words = entry.values.map(v => v.name.split("_"));
  let common = 1;
  while (words.every(w => w.length > common + 1 && w[common] === words[0][common])) common++;
  return words.map(w => camel(w.slice(common).join("_").toLowerCase()));
}

// ---- comments

const jsNames = new Map(), properties = new Set(); // for comments
function comment(entry, indent = "", more = "") {
  let text = entry.comment ?? "";
  if (entry.paragraph !== undefined) {
    const groups = api.paragraphs[entry.paragraph];
    text = (groups.find(g => g.names.includes(entry.name)) ?? groups[0]).comment || groups[0].comment;
  }
  text = [text, more].filter(Boolean).join("\n");
  if (!text) return "";
  text = text.replace(/\b(cn_\w+)(\(\))?/g, (_, name, brackets = "") => (jsNames.get(name) ?? name) + (properties.has(name) ? "" : brackets))
    .replace(/\*\//g, "* /");
  const lines = text.split("\n");
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map(l => `${indent} * ${l}`.trimEnd()).join("\n")}\n${indent} */\n`;
}

// ---- structs

const isLeftOut = (struct, field) => field.kind === "count" || field.kind === "user" ||
  listed(LEFT_OUT, `${struct.name}.${field.name}`) ||
  struct.fields.some(f => f.used === field.name && f !== field);
const fieldsOf = struct => struct.fields.filter(f => !isLeftOut(struct, f));
// A result that is null if its first field is false.
const isFound = name => ["hit", "found"].includes(structs.get(name)?.fields[0].name);
// True if values of this struct name objects of a world.
const needsWorld = name => handles.has(name) || structs.get(name).fields.some(f =>
  f.kind === "handle" || f.kind === "struct" && needsWorld(f.type) ||
  f.kind === "inline_array" && f.of.kind === "struct" && needsWorld(f.of.type) ||
  f.callback === "cn_query.accept");
// True if writing the struct allocates arrays or registers a callback.
const holds = name => structs.get(name).fields.some(f => f.kind === "array" || f.kind === "callback" ||
  f.kind === "struct" && !UNREAD.has(f.type) && holds(f.type));

// The types with objects of a world have the types of their data as a parameter: Body<D>.
const OWNERS = new Set(["cn_world", "cn_rollback", "cn_replay"]);
const isTyped = name => OWNERS.has(name) || needsWorld(name);
const typed = name => pascal(name) + (isTyped(name) ? "<D>" : "");
const declared = (type, name) => type + (isTyped(name) ? "<D = Data>" : "");
// The parameter of a function that has such types.
const parameterOf = (...types) => types.join().includes("<D>") ? "<D>" : "";

const INPUT = { vec2s: "Vec2Like", cn_pose: "PoseLike", cn_hull: "Hull" };
const isBoth = name => structs.get(name).used.length === 2;
const inputName = name => INPUT[name] ?? pascal(name) + (!handles.has(name) && isBoth(name) ? "Like" : "");
const inputType = name => inputName(name) + (isTyped(name) ? "<D>" : "");
const isBig = (struct, f) => f.type === "uint64_t" && !listed(SMALL, `${struct.name}.${f.name}`);

function inputOf(struct, f) {
  switch (f.kind) {
  case "number": case "flags": return f.type === "uint64_t" ? "number | bigint" : "number";
  case "bool": return "boolean";
  case "enum": return pascal(f.type);
  case "struct": return inputType(f.type);
  case "handle": return typed(f.type) + (f.null || NULLABLE.has(`${struct.name}.${f.name}`) ? " | null" : "");
  case "array": return f.of.kind === "struct" ? `readonly ${inputType(f.of.type)}[]` : "ArrayLike<number>";
  case "inline_array": return `readonly ${inputType(f.of.type)}[]`;
  case "callback":
    if (f.callback === "cn_query.accept") return "((side: Side<D>) => boolean)";
  }
  return fail(`${struct.name}.${f.name}`, `a field to write of kind ${f.kind}`);
}

function outputOf(struct, f) {
  const or = listed(NULLABLE, `${struct.name}.${f.name}`) ? " | null" : "";
  switch (f.kind) {
  case "number": case "flags": return isBig(struct, f) ? "bigint" : "number";
  case "bool": return "boolean";
  case "enum": return pascal(f.type);
  case "struct": case "handle": return typed(f.type) + or;
  case "string": return "string";
  case "inline_array": return (f.of.kind === "string" ? "string" : f.of.kind === "number" ? "number" : typed(f.of.type)) + "[]";
  }
  return fail(`${struct.name}.${f.name}`, `a field to read of kind ${f.kind}`);
}

const HEAPS = { float: ["f32", 2], double: ["f64", 3], int: ["i32", 2], int32_t: ["i32", 2],
  uint32_t: ["u32", 2], size_t: ["u32", 2], uint8_t: ["u8", 0], uint64_t: ["u64", 3] };
const cell = (type, place) => `${HEAPS[type][0]}[${place}${HEAPS[type][1] ? ` >> ${HEAPS[type][1]}` : ""}]`;
const plus = (p, n) => n ? `${p} + ${n}` : p;
const placeOf = f => plus("p", wasm32(f.offset));
const cellAt = (type, place) => cell(type, place.includes("+") ? `(${place})` : place);

// An expression that reads a value of this kind at a place.
function readValue(struct, f, place) {
  switch (f.kind) {
  case "number": case "flags": {
    const value = cellAt(f.type, place);
    return f.type === "uint64_t" && !isBig(struct, f) ? `Number(${value})` : value;
  }
  case "bool": return `${cellAt("uint8_t", place)} !== 0`;
  case "enum": return `${camel(f.type.slice(3))}Values[${cellAt("int", place)}]!`;
  case "string": return `text(${cellAt("uint32_t", place)})`;
  case "struct": return `read${pascal(f.type)}(${place}${needsWorld(f.type) ? ", world" : ""})`;
  case "handle": return `world.at${pascal(f.type)}(${place})`;
  }
  return fail(`${struct.name}.${f.name}`, `a value to read of kind ${f.kind}`);
}

function writeField(struct, f) {
  const name = camel(f.name), place = placeOf(f), path = `${struct.name}.${f.name}`;
  const from = value => {
    switch (f.kind) {
    case "number": case "flags":
      return `${cellAt(f.type, place)} = ${f.type === "uint64_t" ? `BigInt(${value})` : value}`;
    case "bool": return `${cellAt("uint8_t", place)} = +!!${value}`;
    case "enum": return `${cellAt("int", place)} = indexIn(${camel(f.type.slice(3))}Values, ${value})`;
    case "struct": return `write${pascal(f.type)}(${place}, ${value}${needsWorld(f.type) ? ", world" : ""})`;
    case "handle": return `${cellAt("uint64_t", place)} = world.handleOf${pascal(f.type)}(${value})`;
    case "callback": return `world.holdAccept(${place}, ${value})`;
    case "inline_array": {
      const count = f.used ? `; ${cellAt("int", plus("p", wasm32(struct.fields.find(x => x.name === f.used).offset)))} = ${value}.length` : "";
      return `{ ${value}.slice(0, ${f.length}).forEach((item, i) => write${pascal(f.of.type)}(${place} + ${sizeOf(f.of.type)} * i, item))${count}; }`;
    }
    case "array": {
      const held = f.of.kind === "struct" ? `holdArray(${value}, ${sizeOf(f.of.type)}, write${pascal(f.of.type)})`
        : f.of.type === "uint8_t" ? `holdBytes(${value})` : fail(path, "an array of this kind");
      // The views are new if holding the array made the memory grow, so it comes first.
      const counter = struct.fields.find(x => x.name === f.count && x.kind === "count");
      if (counter && counter.of.includes(f.name))
        return `{ const held = ${held}; ${cellAt("uint32_t", place)} = held; ${cellAt("int", plus("p", wasm32(counter.offset)))} = ${value}.length; }`;
      const expected = f.count.replace(/[a-z]\w*/g, n => {
        const other = struct.fields.find(x => x.name === n);
        return other.kind === "count" ? `(v.${camel(other.of[0])}?.length ?? 0)` : `Number(v.${camel(n)} ?? 0)`;
      });
      return `{ checkLength("${name}", ${value}.length, ${expected}); const held = ${held}; ${cellAt("uint32_t", place)} = held; }`;
    }
    }
    return fail(path, `a value to write of kind ${f.kind}`);
  };
  if (f.type === "cn_pose") return `  writePose(${place}, v.${name} ?? {});\n`; // a pose of all zeros is none
  return `  if (v.${name} ${f.kind === "handle" || f.kind === "struct" ? "!= null" : "!== undefined"}) ${from(`v.${name}`)};\n`;
}

function writeStruct(struct) {
  const name = struct.name, type = pascal(name), fields = fieldsOf(struct);
  if (UNREAD.has(name) || BY_HAND.has(name) || handles.has(name)) return "";
  const world = needsWorld(name) ? ", world: Objects<D>" : "", d = parameterOf(world);
  let out = "";
  const inputs = struct.used.includes("in"), outputs = struct.used.includes("out");
  if (outputs) {
    const kept = isFound(name) ? fields.slice(1) : fields;
    out += `${comment(struct)}export interface ${declared(type, name)} {\n` +
      kept.map(f => `${comment(f, "  ")}  ${camel(f.name)}: ${outputOf(struct, f)};\n`).join("") + "}\n";
    const isFlat = kept.every(f => ["number", "bool", "enum", "struct"].includes(f.kind) && !needsWorldField(f));
    const values = kept.map(f => {
      let value = f.kind === "inline_array"
        ? `listOf(${f.used ? cellAt("int", plus("p", wasm32(struct.fields.find(x => x.name === f.used).offset))) : f.length}, i => ${readValue(struct, { ...f.of, name: f.name }, `${placeOf(f)} + ${strideOf(f)} * i`)})`
        : readValue(struct, f, placeOf(f));
      if (f.kind === "struct" && NULLABLE.has(`${name}.${f.name}`))
        value = `${cellAt("uint32_t", placeOf(f))} === 0 && ${cellAt("uint32_t", plus("p", wasm32(f.offset) + 4))} === 0 ? null : ${value}`;
      if (f.kind === "handle" && !NULLABLE.has(`${name}.${f.name}`)) value += "!";
      return [camel(f.name), value];
    });
    const orNull = isFound(name) ? " | null" : "";
    out += `export function read${type}${d}(p: number${world}): ${typed(name)}${orNull} {\n` +
      (isFound(name) ? `  if (u8[p] === 0) return null;\n` : "") +
      `  return {\n${values.map(([n, v]) => `    ${n}: ${v},\n`).join("")}  };\n}\n`;
    if (isFlat && !isFound(name)) {
      intoStructs.add(name);
      out += `export function read${type}Into(p: number, out: ${type}): ${type} {\n` + kept.map((f, i) =>
        f.kind === "struct" ? `  read${pascal(f.type)}Into(${placeOf(f)}, out.${camel(f.name)});\n`
          : `  out.${values[i][0]} = ${values[i][1]};\n`).join("") + "  return out;\n}\n";
    }
  }
  if (inputs) {
    const input = inputName(name);
    out += `${outputs ? `/** Values for ${type}: what is left out is 0. */\n` : comment(struct)}export interface ${declared(input, name)} {\n` +
      fields.map(f => `${outputs ? "" : comment(f, "  ")}  ${camel(f.name)}?: ${inputOf(struct, f)} | undefined;\n`).join("") + "}\n";
    const known = fields.map(f => camel(f.name)).concat(DATA.has(name) ? "data" : []);
    out += `const fieldsOf${type} = fieldSet("${known.join(" ")}");\n`;
    out += `export function write${type}${d}(p: number, v: ${inputType(name)}${world}): void {\n` +
      `  begin("${type}", v, fieldsOf${type}, p, ${sizeOf(name)});\n` + fields.map(f => writeField(struct, f)).join("") + "}\n";
  }
  return out;
}
const needsWorldField = f => f.kind === "handle" || f.kind === "struct" && needsWorld(f.type);
const intoStructs = new Set(["vec2s", "cn_pose"]);
const strideOf = f => f.of.kind === "struct" ? sizeOf(f.of.type) : f.of.kind === "string" ? 4 : { double: 8, float: 4 }[f.of.type];

// ---- raw functions: how clang passes values to WebAssembly

function rawType(p) {
  switch (p.kind) {
  case "handle": return "bigint";
  case "void": return "void";
  case "number": return p.type === "uint64_t" ? "bigint" : "number";
  }
  return "number"; // also addresses of structs, and bool
}
const returnsStruct = f => f.returns.kind === "struct";

function rawSignature(f) {
  const parameters = f.parameters.map(p => `${p.name === "function" ? "address" : camel(p.name)}: ${rawType(p)}`);
  if (returnsStruct(f)) parameters.unshift("result: number");
  return `(${parameters.join(", ")}) => ${returnsStruct(f) ? "void" : rawType(f.returns)}`;
}

// ---- methods

const FRAME_HALF = 3072;

const classes = new Map(["cn_world", "cn_body", "cn_shape", "cn_joint", "cn_chain", "cn_grid", "cn_rollback",
  "cn_replay", "cn_hull"].map(name => [name, { name, members: [] }]));
const classNames = new Map([...classes.keys()].map(name => [pascal(name), name]));
const freeFunctions = [];

// The class of a function, or null, and its name there.
const classOf = f => f.names.js.includes(".") ? classNames.get(f.names.js.split(".")[0]) ?? fail(f.name, "an unknown class") : null;
const nameOf = f => f.names.js.split(".").at(-1);
// A setter has the name of its getter if they are a property.
const isSetter = f => /_set_/.test(f.name) && !/^set[A-Z]/.test(nameOf(f));
const isGetter = f => classOf(f) !== null && plan(f).rest.every(p => p.kind === "out") && f.effect !== "changes" &&
  !["total", "success"].includes(f.returns.kind) && !listed(METHODS, f.name);

// How a function is called from JavaScript.
function plan(f) {
  const owner = classOf(f), rest = [...f.parameters], args = new Map();
  let world = "";
  if (owner === "cn_hull") {
    args.set(rest.shift().name, { self: true });
  } else if (owner) {
    if (rest[0].type === "cn_world") args.set(rest.shift().name, { text: owner === "cn_world" ? "this.pointer" : "this.world.pointer" });
    if (handles.has(owner)) args.set(rest.shift().name, { text: "this.handle" });
    else if (owner !== "cn_world") args.set(rest.shift().name, { text: "this.pointer" });
    world = owner === "cn_world" ? "this" : "this.world";
  } else if (rest[0]?.type === "cn_world") {
    args.set(rest.shift().name, { text: "world.pointer" });
    world = "world";
  } else if (rest.some(p => p.kind === "handle")) {
    world = "world";
  }
  return { owner, rest, args, world };
}

function method(f) {
  const { owner, rest, args, world } = plan(f);
  // A getter of an object that is passed, such as `get x() { return this.body.position.x }`, runs
  // while the arguments are written. So reads without arguments use the second half of a frame.
  let offset = rest.length === 0 && returnsStruct(f) && owner !== "cn_hull" ? FRAME_HALF : 0;
  const take = size => { const place = plus("frame", offset); offset = (offset + size + 7) & ~7; return place; };
  const before = [], parameters = [], outs = [];
  let collected = null, exact = null, held = false;
  const result = returnsStruct(f) ? take(sizeOf(f.returns.type)) : null;
  for (const [name, a] of args) {
    if (a.self) { const place = take(sizeOf("cn_hull")); a.text = place; before.push(`writeHull(${place}, this);`); }
  }
  for (const p of rest) {
    const name = camel(p.name);
    const add = (type, optional) => parameters.push(`${name}${optional ? "?" : ""}: ${type}`);
    switch (p.kind) {
    case "number": case "flags":
      if (p.type === "uint64_t") { add("number | bigint"); args.set(p.name, { text: `BigInt.asUintN(64, BigInt(${name}))` }); }
      else { add("number"); args.set(p.name, { text: name }); }
      break;
    case "bool": add("boolean"); args.set(p.name, { text: `+!!${name}` }); break;
    case "enum": add(pascal(p.type)); args.set(p.name, { text: `indexIn(${camel(p.type.slice(3))}Values, ${name})` }); break;
    case "handle": add(typed(p.type)); args.set(p.name, { text: `${world}.handleOf${pascal(p.type)}(${name})`, handle: name }); break;
    case "object": add(typed(p.type)); args.set(p.name, { text: `${name}.pointer` }); break;
    case "struct": case "pointer": {
      const type = p.type ?? p.to.type, place = take(sizeOf(type));
      held ||= holds(type);
      add(inputType(type) + (p.null && !isLastOptional(p, rest) ? " | null" : ""), p.null && isLastOptional(p, rest));
      const write = `write${pascal(type)}(${place}, ${name}${needsWorld(type) ? `, ${world}` : ""})`;
      before.push(p.null ? `if (${name}) ${write};` : `${write};`);
      args.set(p.name, { text: p.null ? `${name} ? ${place} : 0` : place });
      break;
    }
    case "array":
      held = true;
      add(`readonly ${inputType(p.of.type)}[]`);
      before.push(`const ${name}_ = holdArray(${name}, ${sizeOf(p.of.type)}, write${pascal(p.of.type)});`);
      args.set(p.name, { text: `${name}_` });
      break;
    case "count": args.set(p.name, { text: `${camel(p.of[0])}.length` }); break;
    case "out_array":
      held = true;
      if (p.capacity) { collected = p; args.set(p.name, { text: "p" }); }
      else {
        exact = p;
        before.push(`const ${name}_ = holdSpace(${sizeOf(p.of.type)} * ${camel(rest.find(x => x.name === p.count).of[0])}.length);`);
        args.set(p.name, { text: `${name}_` });
      }
      break;
    case "capacity": args.set(p.name, { text: "capacity" }); break;
    case "out": {
      const size = p.to.kind === "struct" ? sizeOf(p.to.type) : 8, place = take(size);
      outs.push({ name, value: readValue({ name: f.name }, { ...p.to, name: p.name }, place) + (p.to.kind === "handle" ? "!" : ""),
        type: p.to.kind === "enum" ? pascal(p.to.type) : ["struct", "handle"].includes(p.to.kind) ? typed(p.to.type) : { bool: "boolean", number: "number" }[p.to.kind] });
      args.set(p.name, { text: place });
      break;
    }
    default: fail(f.name, `a parameter of kind ${p.kind}; add the function to HANDWRITTEN`);
    }
  }
  // A function without an object takes the world of its first handle.
  if (!owner && world) {
    const first = [...args.values()].find(a => a.handle);
    before.unshift(`const world = ${first.handle}.world;`);
  }
  if (owner && outs.some(o => /\bworld\b/.test(o.value))) before.unshift(`const world = ${world};`);
  const call = `${f.name}(${[...(result ? [result] : []), ...f.parameters.map(p => args.get(p.name).text)].join(", ")})`;
  const r = f.returns, readWorld = type => needsWorld(type) ? `, ${world}` : "";
  const body = [...before];
  let type = "void", value = "", into = null;
  const reader = t => `read${pascal(t)}`;
  if (collected) {
    const of = collected.of, size = sizeOf(of.type);
    const read = of.kind === "handle" ? `${world}.at${pascal(of.type)}(p)!` : `${reader(of.type)}(p${readWorld(of.type)})`;
    body.push(`const list = collect(${size}, (p, capacity) => ${call}, p => ${read});`);
    type = isFound(of.type) ? `(${typed(of.type)} | null)[]` : `${typed(of.type)}[]`;
    value = "list";
    if (outs.length) {
      type = `{ ${camel(collected.name)}: ${type}; ${outs.map(o => `${o.name}: ${o.type}`).join("; ")} }`;
      value = `{ ${camel(collected.name)}: list, ${outs.map(o => `${o.name}: ${o.value}`).join(", ")} }`;
    }
    body.push(`return ${value};`);
  } else if (exact) {
    body.push(`check(${call});`, `return listOf(${camel(rest.find(x => x.name === exact.count).of[0])}.length, i => ` +
      `${reader(exact.of.type)}(${camel(exact.name)}_ + ${sizeOf(exact.of.type)} * i${readWorld(exact.of.type)}));`);
    type = `(${typed(exact.of.type)}${isFound(exact.of.type) ? " | null" : ""})[]`;
  } else if (r.kind === "void") {
    body.push(`${call};`, "done();");
    if (outs.length) {
      type = `{ ${outs.map(o => `${o.name}: ${o.type}`).join("; ")} }`;
      body.push(`return { ${outs.map(o => `${o.name}: ${o.value}`).join(", ")} };`);
    }
  } else if (r.kind === "success") {
    body.push(`check(${call});`);
  } else if (result && r.kind === "struct") {
    type = typed(r.type) + (isFound(r.type) ? " | null" : "");
    if (intoStructs.has(r.type)) into = { type: pascal(r.type), lines: [...body, `${call};`, "done();", `return ${reader(r.type)}Into(${result}, out);`] };
    body.push(`${call};`, "done();", `return ${reader(r.type)}(${result}${readWorld(r.type)});`);
  } else if (r.kind === "handle") {
    const isNull = listed(NULLABLE, f.name);
    type = typed(r.type) + (isNull ? " | null" : "");
    body.push(`const handle = ${call};`, "done();", `return ${world}.of${pascal(r.type)}(handle)${isNull ? "" : "!"};`);
  } else {
    const raw = { bool: "value !== 0", enum: `${camel((r.type ?? "").slice(3))}Values[value]!`, number: r.type === "uint64_t" ? "BigInt.asUintN(64, value)" : "value",
      string: "text(value)" }[r.kind] ?? fail(f.name, `returns a ${r.kind}`);
    type = { bool: "boolean", enum: pascal(r.type ?? "void"), number: r.type === "uint64_t" ? "bigint" : "number", string: "string" }[r.kind];
    body.push(`const value = ${call};`, "done();", `return ${raw};`);
  }
  if (offset > (rest.length ? FRAME_HALF : 2 * FRAME_HALF - 8)) fail(f.name, "its arguments do not fit into a frame");
  const hold = lines => held ? ["const mark = hold();", "try {", ...lines.map(l => "  " + l), "} finally {", "  release(mark);", "}"] : lines;
  return { f, owner, parameters, type, body: hold(body), into: into && { ...into, lines: hold(into.lines) } };
}
const isLastOptional = (p, rest) => rest.slice(rest.indexOf(p) + 1).every(x => x.null || ["out", "out_array", "capacity", "count"].includes(x.kind));

function collectNames() {
  for (const s of api.structs) jsNames.set(s.name, pascal(s.name));
  for (const e of api.enums) e.values.forEach((v, i) => jsNames.set(v.name, `"${valueNames(e)[i]}"`));
  for (const f of api.functions.filter(f => f.names.js)) {
    jsNames.set(f.name, f.names.js);
    if (isSetter(f) || isGetter(f) || /_next_/.test(f.name)) properties.add(f.name);
  }
  for (const o of api.objects) jsNames.set(o.type, pascal(o.type));
}
collectNames();

// What structs with handles need from a world.
const OBJECTS = [
  ...["Body", "Shape", "Joint", "Grid", "Chain"].flatMap(t => [`handleOf${t}(object: ${t}<D>): bigint;`, `at${t}(p: number): ${t}<D> | null;`, `of${t}(handle: bigint): ${t}<D> | null;`]),
  "holdAccept(p: number, accept: (side: Side<D>) => boolean): void;"];

const lines = l => l.map(x => `    ${x}\n`).join("");
function writeClass({ name, members }) {
  const setters = new Map(members.filter(m => isSetter(m.f)).map(m => [nameOf(m.f), m]));
  const getters = new Map(members.filter(m => isGetter(m.f)).map(m => [nameOf(m.f), m]));
  let out = `${name === "cn_hull" ? "" : comment(api.objects.find(o => o.type === name) ?? structs.get(name) ?? {})}`;
  out += name === "cn_hull" ? `export class Hull extends HullData {\n`
    : `export abstract class ${pascal(name)}Calls<D> {\n` +
      (handles.has(name) ? "  abstract readonly world: World<D>;\n" + "  abstract readonly handle: bigint;\n"
        : (name === "cn_world" ? OBJECTS.map(line => `  /** @internal */\n  abstract ${line}\n`).join("")
          : "  abstract readonly world: World<D>;\n") + "  abstract readonly pointer: number;\n");
  for (const m of members) {
    const own = nameOf(m.f);
    if (isSetter(m.f)) {
      if (getters.has(own)) continue;
      out += `\n${comment(m.f, "  ")}  set ${own}(${m.parameters[0]}) {\n${lines(m.body)}  }\n`;
    } else if (getters.get(own) === m) {
      const setter = setters.get(own);
      const note = setter ? setterNote(setter.f) : "";
      // What is read is a copy. If it can be set, a change of the copy alone would be a mistake.
      const isFrozen = setter && m.f.returns.kind === "struct" && !["vec2s", "cn_pose", "cn_hull"].includes(m.f.returns.type);
      const body = isFrozen ? m.body.map(l => l.replace(/return (read.*);$/, "return Object.freeze($1);")) : m.body;
      out += `\n${comment(m.f, "  ", note)}  get ${own}(): ${isFrozen ? m.type.replace(/^\w+(<D>)?/, "Readonly<$&>") : m.type} {\n${lines(body)}  }\n`;
      if (setter) {
        const [parameter] = setter.parameters;
        out += `  set ${own}(${parameter}) {\n${lines(setter.body)}  }\n`;
      }
      if (m.into) out += `  /** The same as {@link ${own}}, written to \`out\`: allocates nothing. */\n  ${own}Into(out: ${m.into.type}): ${m.into.type} {\n${lines(m.into.lines)}  }\n`;
    } else {
      out += `\n${comment(m.f, "  ")}  ${own}(${m.parameters.join(", ")}): ${m.type} {\n${lines(m.body)}  }\n`;
      if (m.into) out += `  /** The same as {@link ${own}}, written to \`out\`: allocates nothing. */\n  ${own}Into(${[...m.parameters, `out: ${m.into.type}`].join(", ")}): ${m.into.type} {\n${lines(m.into.lines)}  }\n`;
    }
  }
  return out + "}\n";
}
function setterNote(f) {
  const groups = f.paragraph === undefined ? [] : api.paragraphs[f.paragraph];
  const text = f.comment ?? groups.find(g => g.names.includes(f.name))?.comment ?? "";
  return text ? `Set: ${text}` : "";
}

// ---- the file

const enums = api.enums.map(e => {
  const names = valueNames(e), type = pascal(e.name);
  if (e.flags)
    return `${comment(e)}export const ${type} = {\n${e.values.map((v, i) => `${comment(v, "  ")}  ${names[i]}: ${v.value},\n`).join("")}} as const;\n`;
  const notes = e.values.map((v, i) => v.comment ? `- "${names[i]}": ${v.comment.replace(/\n/g, "\n  ")}` : "").filter(Boolean).join("\n");
  return `${comment(e, "", notes)}export type ${type} = ${names.map(n => `"${n}"`).join(" | ")};\n` +
    `export const ${camel(e.name.slice(3))}Values: readonly ${type}[] = [${names.map(n => `"${n}"`).join(", ")}];\n`;
}).join("\n");

const structText = api.structs.map(writeStruct).filter(Boolean).join("\n");
for (const f of api.functions) {
  if (HANDWRITTEN.has(f.name)) { used.add(f.name); continue; }
  if (!f.names.js) fail(f.name, "has no name in JavaScript; add it to HANDWRITTEN");
  const m = method(f);
  if (m.owner) classes.get(m.owner).members.push(m);
  else freeFunctions.push(m);
}
const free = freeFunctions.map(m => {
  const name = nameOf(m.f);
  let out = `${comment(m.f)}export function ${name}${parameterOf(m.parameters, m.type)}(${m.parameters.join(", ")}): ${m.type} {\n${m.body.map(l => `  ${l}\n`).join("")}}\n`;
  if (m.into) out += `/** The same as {@link ${name}}, written to \`out\`: allocates nothing. */\nexport function ${name}Into(${[...m.parameters, `out: ${m.into.type}`].join(", ")}): ${m.into.type} {\n${m.into.lines.map(l => `  ${l}\n`).join("")}}\n`;
  return out;
}).join("\n");

const text = `// Made by generate.mjs from api.json: do not edit.
import {
  begin, check, checkLength, collect, done, f32, f64, fieldSet, frame, hold, holdArray, holdBytes, holdSpace, HullData, i32,
  indexIn, listOf, readPose, readPoseInto, readVec2, readVec2Into, release, text, u32, u64, u8, writeHullData,
  writePose, writeVec2,
} from "./wasm.js";
import type { Pose, PoseLike, Vec2, Vec2Like } from "./wasm.js";
import type { Body, Chain, Data, Grid, Joint, Replay, Rollback, Shape, World } from "./world.js";

// ---- what the module must be

/** What this file was made for. */
export const EXPECTED_API = ${api.hash};

// ---- constants and enumerations

${api.constants.map(c => `export const ${c.name.slice(3)} = ${c.value};\n`).join("")}
${enums}
/** Finds the objects of handles and their handles: a world. */
export interface Objects<D> {
${OBJECTS.map(line => `  ${line}\n`).join("")}}

// ---- raw functions

/** The functions of the WebAssembly module. Structs are passed by their addresses, handles as bigint. */
export interface Raw {
${api.functions.map(f => `  ${f.name}: ${rawSignature(f)};\n`).join("")}}
${api.functions.map(f => `export let ${f.name}: ${rawSignature(f)};\n`).join("")}
/** Makes the functions of a module callable, and returns them. \`missing\` stands in for functions that it
 *  does not have. */
export function bind(raw: Partial<Raw>, missing: (name: keyof Raw) => (...values: never[]) => never): Raw {
  const all = new Proxy(raw as Raw, { get: (found, name: keyof Raw) => found[name] ?? missing(name) });
  ({
${api.functions.map(f => `    ${f.name},\n`).join("")}  } = all);
  return all;
}

// ---- structs: sizes, readers, writers

export const SIZE = {
${api.structs.map(s => `  ${pascal(s.name)}: ${wasm32(s.size)},\n`).join("")}} as const;
export const OFFSET = {
${[...UNREAD].map(n => structs.get(n)).map(s => `  ${pascal(s.name)}: { ${s.fields.map(f => `${camel(f.name)}: ${wasm32(f.offset)}`).join(", ")} },\n`).join("")}} as const;

${structText}
// ---- objects

${comment(structs.get("cn_hull"))}${writeClass(classes.get("cn_hull"))}
export function readHull(p: number): Hull {
  return new Hull(f32.slice(p >> 2, (p >> 2) + SIZE.Hull / 4));
}
export const writeHull = writeHullData;

${[...classes.values()].filter(c => c.name !== "cn_hull").map(writeClass).join("\n")}
// ---- functions without an object

${free}`;
for (const set of [METHODS, LEFT_OUT, NULLABLE, SMALL, HANDWRITTEN])
  for (const name of set) if (!used.has(name)) fail(name, "is listed but not in api.json");
writeFileSync(process.argv[3], text);

// The names for users: no raw functions, readers and writers.
const names = (pattern, unwanted) => [...text.matchAll(pattern)].map(m => m[1]).filter(n => !unwanted.test(n));
const wrapped = list => list.map(n => `  ${n},\n`).join("");
writeFileSync(process.argv[4], `// Made by generate.mjs from api.json: do not edit.
export {
${wrapped(names(/^export (?:const|function|class) (\w+)/gm, /^(read|write)[A-Z]|^(SIZE|OFFSET|EXPECTED_API|bind)$/))}} from "./calls.js";
export type {
${wrapped(names(/^export (?:type|interface) (\w+)/gm, /^$/))}} from "./calls.js";
export { CairnError } from "./wasm.js";
export type { Pose, PoseLike, Vec2, Vec2Like } from "./wasm.js";
export { Body, Chain, Events, Grid, Joint, recordingCut, Replay, Rollback, Shape, World, worldsStep } from "./world.js";
export type { BeforeStep, Callbacks, Data, Drawing, MayCollide, PreSolve, ShapeLike, WithData } from "./world.js";
export { raw } from "./module.js";
`);
