#!/usr/bin/env python3
"""Declares the C API in Rust, from api.json: the raw layer under a binding, and an example for other
languages.

    generate.py API OUTPUT

Structs have the fields of C and can be zeroed (Default), constants and enumerations are numbers, and
functions are `extern "C"`. Pointers to callbacks are Option<unsafe extern "C" fn(...)>.
"""
import json
import pathlib
import sys

NUMBERS = {"float": "f32", "double": "f64", "int": "i32", "int32_t": "i32", "uint8_t": "u8",
           "uint32_t": "u32", "uint64_t": "u64", "size_t": "usize"}
KEYWORDS = {"type", "move", "ref", "box", "in", "loop", "match", "impl", "use", "where", "fn", "mod"}


def name_of(value):
    name = value["name"]
    return "r#" + name if name in KEYWORDS else name


class Writer:
    def __init__(self, api):
        self.api = api
        self.callbacks = {c["name"]: c for c in api["callbacks"]}

    def rust_type(self, value):
        """The type of a parameter, field or result in Rust."""
        kind = value["kind"]
        if kind in ("bool", "success"):
            return "bool"
        if kind in ("number", "flags", "count", "capacity", "total"):
            return NUMBERS[value["type"]]
        if kind in ("enum", "struct", "handle"):
            return value["type"]
        if kind == "object":
            return f"*{'const' if value.get('const') else 'mut'} {value['type']}"
        if kind == "pointer":
            return "*const " + self.rust_type(value["to"])
        if kind == "out":
            return "*mut " + self.rust_type(value["to"])
        if kind in ("array", "out_array"):
            return ("*const " if kind == "array" else "*mut ") + self.rust_type(value["of"])
        if kind == "inline_array":
            return f"[{self.rust_type(value['of'])}; {value['length']}]"
        if kind == "string":
            return "*const c_char"
        if kind == "bytes":
            return "*const c_void"
        if kind in ("out_bytes", "memory", "user", "context"):
            return "*mut c_void"
        if kind == "callback":
            callback = self.callbacks[value["callback"]]
            function = f"unsafe extern \"C\" fn{self.signature(callback)}"
            return f"Option<{function}>"
        raise ValueError(f"no rule for {value}")

    def signature(self, function):
        parameters = ", ".join(f"{name_of(p)}: {self.rust_type(p)}" for p in function["parameters"])
        returns = function["returns"]
        result = "" if returns["kind"] == "void" else " -> " + self.rust_type(returns)
        return f"({parameters}){result}"

    def write(self):
        lines = ["// The C API of Cairn. Made by engine/bindings/rust/generate.py.",
                 "#![allow(non_camel_case_types, dead_code)]",
                 "use std::os::raw::{c_char, c_void};", ""]
        for constant in self.api["constants"]:
            lines.append(f"pub const {constant['name']}: usize = {constant['value']};")
        for enum in self.api["enums"]:
            lines.append(f"pub type {enum['name']} = u32;")
            lines += [f"pub const {v['name']}: {enum['name']} = {v['value']};" for v in enum["values"]]
        for entry in self.api["objects"]:
            lines += ["#[repr(C)]", f"pub struct {entry['type']} {{ _private: [u8; 0] }}"]
        for struct in self.api["structs"]:
            fields = ", ".join(f"pub {name_of(f)}: {self.rust_type(f)}" for f in struct["fields"])
            lines += ["#[repr(C)]", "#[derive(Clone, Copy)]", f"pub struct {struct['name']} {{ {fields} }}",
                      f"impl Default for {struct['name']} {{ // all zeros",
                      "    fn default() -> Self { unsafe { std::mem::zeroed() } }", "}"]
            size = struct["size"]
            size = size if isinstance(size, int) else size["x86_64"]
            lines += ['#[cfg(target_arch = "x86_64")]', "const _: () = "
                      f"assert!(std::mem::size_of::<{struct['name']}>() == {size});"]
        lines.append("extern \"C\" {")
        lines += [f"    pub fn {f['name']}{self.signature(f)};" for f in self.api["functions"]]
        return "\n".join(lines + ["}", ""])


def main():
    api = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
    pathlib.Path(sys.argv[2]).write_text(Writer(api).write(), encoding="utf-8")


if __name__ == "__main__":
    main()
