--- Cairn for LuaJIT: a 2D rigid-body physics engine. One file; it loads the C library by the FFI.
---
---     local cairn = require("cairn")
---     local world = cairn.World{gravity = {0, -10}}
---     world:create_body{type = "static", shapes = {cairn.box(50, 1)}}
---     local crate = world:create_body{position = {0, 10}, data = sprite}
---     crate:create_shape(cairn.box(0.5, 0.5), {density = 2, material = {friction = 0.4}})
---     for _ = 1, 120 do world:step(1 / 60) end
---     print(crate.position.y)                       -- 1.500
---     for _, hit in ipairs(world.events.hits) do play_thud(hit.point, hit.approach_speed) end
---     world:destroy()
---
--- The manual is cairn.h: units are metres, kilograms, seconds and radians, y is up. This file says
--- only what is different in Lua.
---
--- Names     cn_body_apply_force(world, body, force) is body:apply_force(force), and cn_body_create()
---           is world:create_body(). Functions without an object are in the module: cairn.box() is
---           cn_box(). Functions whose first parameter is a hull, pose, rotation, bounds or sweep are
---           methods of these: hull:mass_data(density). for body in world:bodies() do ... end is the
---           loop of cn_world_next_body().
--- Properties  A getter without further arguments is a property: body.position, world.hash. If there
---           is a setter of one value, it is assigned: body.velocity = {3, 0}. So are the angle of
---           a body, linear_damping and angular_damping of a body or world, and break_force and
---           break_torque of a joint. All other functions are methods: body:set_damping(0.1, 0.2).
--- Values    A vector is {x, y}, or a vec2s with .x and .y, +, -, * and unpack(). A pose is
---           {x, y, angle}, {position = , rotation = } or cairn.pose_at(). A rotation may be an angle.
---           Definitions are tables; unknown fields are errors. Lists are Lua lists from 1. Arrays
---           within structs of C, such as hulls and manifolds, count from 0.
---           Enumerations are strings: CN_STATIC is "static", CN_JOINT_ANGLE is "angle".
---           64-bit numbers (hash, user_data, category, mask) are LuaJIT's uint64_t:
---           bit.tohex(world.hash).
--- Objects   There is one Lua object for each body, shape, joint, chain and grid, so == works. The
---           field `data` is yours: any value, which may also stand in a definition. It belongs to
---           Lua, not to saved bytes. To read or write another field that does not exist is an
---           error. Objects live in their world. Only worlds, rollbacks and replays have to be
---           released, by destroy() or by the garbage collector.
--- Results   A call that only succeeds or fails returns its object. A function that writes an array
---           returns a list. Out parameters are further results: hull:slice() returns the hulls and
---           the number in front.
--- Errors    A call that fails raises an error with the text of cn_error(). cairn.error_code() is the
---           kind of the last one, for example "handle". Hints go to the standard error.
--- Texts     tostring() shows every object and struct, for example Body(3, dynamic, at (1, 2)) and
---           filter(category=1, mask=5, group=0).
--- Callbacks world.before_step = function(dt), world.filter = function(shape_a, shape_b) and
---           world.pre_solve = function(contact), which returns nil or {disabled = true}. filter is
---           called for shapes with custom_filter, pre_solve for shapes with pre_solve.
---           world.callbacks has all of them as a table, and sets all. filter, pre_solve and accept
---           need a world of one thread. An error in a callback is raised again by the call that ran
---           it. C functions (cdata) may be given instead.
---
--- The library is ffi.load(os.getenv("CAIRN_LIBRARY")), or a library named cairn or libcairn in
--- package.cpath, or the cairn of the system, or part of the program.
---
--- engine/bindings/lua/generate.py makes this file from layer.lua and api.json.

local ffi = require("ffi")
local bit = require("bit")

--@declarations

local function load_library()
    local name = os.getenv("CAIRN_LIBRARY")
    if name then return ffi.load(name) end
    if pcall(function() return ffi.C.cn_world_create end) then return ffi.C end
    for _, stem in ipairs{"libcairn", "cairn"} do
        local path = package.searchpath(stem, package.cpath)
        if path then return ffi.load(path) end
    end
    return ffi.load("cairn")
end

-- What this file was made for.
--@expected

local function describe_version(number, hash)
    return ("%d.%d.%d (API %s)"):format(math.floor(number / 10000), math.floor(number / 100) % 100, number % 100,
        bit.tohex(hash))
end

-- Raises an error if the library was built from another cairn.h. An older one has no cn_api_hash().
local function check_library(library)
    local known, version, hash = pcall(function() return library.cn_version(), library.cn_api_hash() end)
    if known and hash == API_HASH then return end
    error("libcairn is " .. (known and "version " .. describe_version(version, hash) or "an older version")
        .. ", this cairn.lua is for version " .. describe_version(VERSION, API_HASH), 0)
end

local C = load_library()
check_library(C)
local cairn = {}

-- ---------------------------------------------------------------------------------------- the API

--@tables

-- ----------------------------------------------------------------------------------------- errors

local error_kind = "none"
local callback_error

local this_file = debug.getinfo(1, "f").func
local this_source = debug.getinfo(1, "S").source

-- Raises an error at the line that called this module.
local function fail(message)
    local level, info = 2, debug.getinfo(2, "S")
    while info and (info.source == this_source or info.what == "C") do
        level = level + 1
        info = debug.getinfo(level, "S")
    end
    error(message, info and level or 0)
end

-- A hint stays: it is that of a step in which a callback makes this call. check_step() shows it.
local function raise()
    if C.cn_error_code() == C.CN_ERROR_HINT then return end
    error_kind = enums.cn_error_kind[tonumber(C.cn_error_code())]
    local text = ffi.string(C.cn_error())
    C.cn_error_clear()
    fail(text)
end

-- Shows the hint of a call that succeeded.
local function show_hint()
    if C.cn_error_code() ~= C.CN_ERROR_HINT then return end
    io.stderr:write(ffi.string(C.cn_error()), "\n")
    C.cn_error_clear()
end

-- Between two calls no error of this thread is set, so an error after a call is that of the call.
local function check()
    if C.cn_error_code() ~= 0 then raise() end
end

-- The same after a call that may have called functions of the user.
local function check_callbacks()
    if callback_error ~= nil then
        local message = callback_error
        callback_error = nil
        C.cn_error_clear()
        error(message, 0)
    end
    check()
end

-- The same after a call that takes steps.
local function check_step(done)
    if done and callback_error == nil then show_hint() end
    check_callbacks()
end

-- How many letters differ: left out, added, replaced, or swapped with the next one.
local function distance(a, b)
    local before, row = {}, {}
    for j = 0, #b do row[j] = j end
    for i = 1, #a do
        local above = row
        row = {[0] = i}
        for j = 1, #b do
            local x, y = a:sub(i, i), b:sub(j, j)
            row[j] = math.min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (x == y and 0 or 1))
            if i > 1 and j > 1 and x == b:sub(j - 1, j - 1) and a:sub(i - 1, i - 1) == y then
                row[j] = math.min(row[j], before[j - 2] + 1)
            end
        end
        before = above
    end
    return row[#b]
end

-- Raises the error of an unknown field. The keys of the tables are the known fields.
local function no_field(what, key, ...)
    local function plain_word(word) return (tostring(word):lower():gsub("_", "")) end
    local word = plain_word(key)
    local best, least = nil, math.max(1, math.floor(#word / 3)) + 1
    for _, known in ipairs{...} do
        for name in pairs(known) do
            local d = distance(word, plain_word(name))
            if d < least or d == least and best and name < best then best, least = name, d end
        end
    end
    local hint = best and (": did you mean '%s'?"):format(best) or ""
    fail(("%s has no field '%s'%s"):format(what, tostring(key), hint))
end

--- Returns the kind of the last error that this module raised: "none", "number", "handle", ...
function cairn.error_code() return error_kind end

-- ---------------------------------------------------------------------------------------- objects

local classes = {}

-- A class: methods, functions that get and set properties, and the names of fields that objects
-- may have.
local function class(name, ...)
    local methods, getters, setters, fields = {}, {}, {}, {}
    for _, key in ipairs{...} do fields[key] = true end
    local meta = {name = name, methods = methods, get = getters, set = setters}
    function meta.__index(self, key)
        local getter = getters[key]
        if getter then return getter(self) end
        local method = methods[key]
        if method == nil and not fields[key] then no_field(name:sub(4), key, getters, methods) end
        return method
    end
    function meta.__newindex(self, key, value)
        local setter = setters[key]
        if setter then return setter(self, value) end
        if not fields[key] then
            local is_known = getters[key] or methods[key]
            if is_known then fail(name:sub(4) .. "." .. key .. " cannot be set") end
            no_field(name:sub(4), key, setters, {data = true})
        end
        rawset(self, key, value)
    end
    classes[name] = meta
    return meta, methods, getters, setters
end

local World, world_methods, world_get, world_set =
    class("cn_world", "data", "pointer", "functions", "replay", "pose_capacity", "pose_array")
local Body, body_methods, body_get, body_set = class("cn_body", "data")
local Shape, shape_methods, shape_get, shape_set = class("cn_shape", "data")
local Joint, joint_methods, joint_get, joint_set = class("cn_joint", "data")
local Grid, grid_methods, grid_get, grid_set = class("cn_grid", "data")
local Chain, chain_methods, chain_get, chain_set = class("cn_chain", "data")
local Rollback, rollback_methods, rollback_get = class("cn_rollback", "pointer")
local Replay, replay_methods, replay_get = class("cn_replay", "pointer", "own_world")

-- The slot of a handle in its world: the low 24 bits.
local function slot_of(id) return tonumber(bit.band(id, 0xFFFFFFULL)) end

-- The text of an object: its class, its number and what details() says if it is not stale.
local function show(meta, details)
    local name = meta.name:sub(4, 4):upper() .. meta.name:sub(5)
    function meta.__tostring(self)
        local is_valid = self.world.pointer ~= nil and self.valid
        return ("%s(%d, %s)"):format(name, self.slot, is_valid and details(self) or "stale")
    end
end
for _, meta in ipairs{Body, Shape, Joint, Grid, Chain} do
    --- The slot of the object: the number in error texts, and the index of a body in world:poses().
    function meta.get.slot(self) return slot_of(self.id) end
end
show(Body, function(self) return ("%s, at %s"):format(self.type, tostring(self.position)) end)
show(Shape, function(self)
    return (self.sensor and "sensor, " or "") .. "of body " .. self.body.slot
end)
show(Joint, function(self)
    local bodies = self.bodies
    return ("of bodies %d and %d"):format(bodies.a.slot, bodies.b.slot)
end)
show(Grid, function(self)
    return ("%d x %d, of body %d"):format(self.width, self.height, self.body.slot)
end)
show(Chain, function(self) return "of body " .. self.body.slot end)
function World.__tostring(self)
    if self.pointer == nil then return "World(destroyed)" end
    local counters = self.counters
    return ("World(%d bodies, %d shapes, %d joints, step %d)"):format(
        counters.bodies, counters.shapes, counters.joints, tonumber(counters.steps))
end
function Rollback.__tostring(self)
    if self.pointer == nil then return "Rollback(destroyed)" end
    if self.newest < 0 then return "Rollback(empty)" end
    return ("Rollback(%d to %d)"):format(self.oldest, self.newest)
end
function Replay.__tostring(self)
    if self.pointer == nil then return "Replay(destroyed)" end
    local at = self.at
    return ("Replay(call %d of %d, step %d of %d)"):format(at.call, at.calls, at.step, at.steps)
end

-- Returns the object of a handle: the same one as before. An object whose slot is used again stays
-- known as long as the program refers to it, because a restored world may have it again.
local function object(world, kind, id)
    if id == 0 then return nil end
    local known, slot = world.objects[kind], slot_of(id)
    local present = known.live[slot]
    if present and present.id == id then return present end
    local key = tonumber(bit.rshift(id, 32)) * 0x1000000 + slot
    local self = known.stale[key]
    if not self then self = setmetatable({world = world, id = id}, classes[kind]) end
    if present then
        known.stale[tonumber(bit.rshift(present.id, 32)) * 0x1000000 + slot] = present
    end
    known.live[slot] = self
    return self
end

local function wrong(what, value)
    fail(("expected a %s, got %s"):format((what:gsub("^cn_", "")), type(value)))
end

-- The number in a handle; 0 for nil.
local function id_of(kind, value)
    if value == nil then return 0ULL end
    if getmetatable(value) ~= classes[kind] then wrong(kind, value) end
    return value.id
end

local function pointer_of(kind, value)
    if getmetatable(value) ~= classes[kind] then wrong(kind, value) end
    return value.pointer
end

-- --------------------------------------------------------------------------- from Lua values to C

local types = {}
for name in pairs(structs) do types[name] = ffi.typeof(name) end
local vec2 = types.vec2s

local function vec(value)
    if ffi.istype(vec2, value) then return value end
    if type(value) ~= "table" then wrong("vector {x, y}", value) end
    local x, y = value[1] or value.x, value[2] or value.y
    if type(x) ~= "number" or type(y) ~= "number" then fail("a vector needs two numbers") end
    return vec2(x, y)
end

local function enum(name, value)
    if type(value) == "number" then return value end
    return enums[name][value] or
        fail(("%s is not one of %s"):format(tostring(value), table.concat(enums[name].names, ", ")))
end

local function flags(name, ...)
    local sum = 0
    for _, value in ipairs{...} do sum = bit.bor(sum, enum(name, value)) end
    return sum
end

local make
-- Arrays that the structs of the current call point to.
local kept = {}

local function array(of, list)
    local count = #list
    local values
    if of.kind == "number" then
        values = ffi.new(ffi.typeof("$[?]", ffi.typeof(of.type)), count, list)
    else
        values = ffi.new(ffi.typeof("$[?]", types[of.type]), count)
        for i = 1, count do values[i - 1] = make(of.type, list[i]) end
    end
    kept[#kept + 1] = values
    return values, count
end

local callback -- returns the C function for a function of the user; below

-- Sets a field of a definition, by its kind.
local set_field = {
    number = function(s, key, _, value) s[key] = value end,
    bool = function(s, key, _, value) s[key] = value end,
    enum = function(s, key, field, value) s[key] = enum(field.type, value) end,
    struct = function(s, key, field, value) s[key] = make(field.type, value) end,
    handle = function(s, key, field, value) s[key].id = id_of(field.type, value) end,
    array = function(s, key, field, value)
        local values, count = array(field.of, value)
        s[key] = values
        if field.counter then s[field.counter] = count end
    end,
    inline_array = function(s, key, field, value)
        if #value > field.length then fail(key .. " has too many values") end
        for i, v in ipairs(value) do
            s[key][i - 1] = field.of.kind == "struct" and make(field.of.type, v) or v
        end
    end,
    callback = function(s, key, field, value) s[key] = callback(field.type, value, s) end,
    user = function(s, key, _, value) s[key] = value end,
    data = function() end,
}
for _, name in ipairs{"cn_body_def", "cn_shape_def", "cn_joint_def", "cn_chain_def", "cn_grid_def"} do
    structs[name].data = {kind = "data"}
end

local function fill(s, name, value)
    local fields = structs[name]
    for key, v in pairs(value) do
        local field = fields[key]
        if not field then no_field(name:sub(4), key, fields) end
        set_field[field.kind](s, key, field, v)
    end
    for key, length in pairs(lengths[name] or {}) do
        if value[key] and #value[key] ~= length(s) then
            fail(("%s.%s needs %d values"):format(name:sub(4), key, length(s)))
        end
    end
end

function make(name, value)
    if type(value) == "cdata" then
        if not ffi.istype(types[name], value) then wrong(name, value) end
        return value
    end
    if name == "vec2s" then return vec(value) end
    if name == "cn_rotation" and type(value) == "number" then return C.cn_rotation_of(value) end
    if type(value) ~= "table" then wrong(name, value) end
    if name == "cn_pose" and type(value[1]) == "number" then
        return C.cn_pose_at(vec(value), value[3] or 0)
    end
    local s = types[name]()
    fill(s, name, value)
    return s
end

-- ------------------------------------------------------------------------- from C to Lua values

local read

local function read_value(field, value, world)
    local kind = field.kind
    if kind == "struct" then return read(field.type, value, world) end
    if kind == "enum" then return enums[field.type][tonumber(value)] end
    if kind == "string" then return ffi.string(value) end
    if kind == "handle" then return object(world, field.type, value.id) end
    return value
end

local function show_value(value)
    if type(value) == "number" then return ("%.7g"):format(value) end
    if type(value) ~= "table" or getmetatable(value) then return tostring(value) end
    local items = {}
    for i, item in ipairs(value) do items[i] = show_value(item) end
    return "{" .. table.concat(items, ", ") .. "}"
end

-- Returns a function that makes the text of a struct.
local function show_fields(name)
    return function(value)
        local items = {}
        for i, key in ipairs(field_names[name]) do
            local field = structs[name][key]
            local item = value[key]
            if type(item) == "cdata" and field.kind == "inline_array" then item = "..." end
            items[i] = key .. "=" .. show_value(item)
        end
        return ("%s(%s)"):format(name:gsub("^cn_", ""), table.concat(items, ", "))
    end
end

-- The metatables of structs that are tables.
local struct_metas = {}
for name, fields in pairs(structs) do
    local short = name:gsub("^cn_", "")
    struct_metas[name] = {
        is_struct = true,
        __tostring = show_fields(name),
        __index = function(_, key)
            if not fields[key] then no_field(short, key, fields) end
        end,
        __newindex = function(self, key, value)
            if not fields[key] then no_field(short, key, fields) end
            rawset(self, key, value)
        end,
    }
end

-- Copies a struct. The copy is a struct if it has only numbers, else a table.
function read(name, value, world)
    local fields = structs[name]
    if plain[name] then return types[name](value) end
    local result = setmetatable({}, struct_metas[name])
    for key, field in pairs(fields) do
        if field.kind == "inline_array" then
            local list = {}
            for i = 1, field.used and value[field.used] or field.length do
                list[i] = read_value(field.of, value[key][i - 1], world)
            end
            result[key] = list
        elseif field.kind ~= "data" then
            result[key] = read_value(field, value[key], world)
        end
    end
    return result
end

local buffers = {}

-- Calls a function that writes up to `capacity` values until all fit, and returns them as a list.
local function list(of, world, call)
    local name = of.type
    local buffer = buffers[name]
    buffers[name] = nil -- a callback that calls this needs another buffer
    buffer = buffer or {capacity = 16, values = ffi.new(name .. "[16]")}
    local total = call(buffer.values, buffer.capacity)
    if total > buffer.capacity then
        buffer = {capacity = 2 * total, values = ffi.new(name .. "[?]", 2 * total)}
        total = call(buffer.values, buffer.capacity)
    end
    local result = {}
    for i = 1, total do result[i] = read_value(of, buffer.values[i - 1], world) end
    buffers[name] = buffer
    return result
end

local bytes_buffer, bytes_capacity = ffi.new("uint8_t[?]", 4096), 4096

-- The same for bytes, which become a string.
local function read_bytes(call)
    local size = tonumber(call(bytes_buffer, bytes_capacity))
    if size > bytes_capacity then
        bytes_capacity = 2 * size
        bytes_buffer = ffi.new("uint8_t[?]", bytes_capacity)
        size = tonumber(call(bytes_buffer, bytes_capacity))
    end
    return ffi.string(bytes_buffer, size)
end

-- -------------------------------------------------------------------------------------- callbacks

local worlds = setmetatable({}, {__mode = "v"}) -- by address
local recorded = {}                             -- numbers of the recordings; keeps their worlds
local writers = {}                              -- the functions of the recordings, by number
local error_hook

local function address(pointer) return tonumber(ffi.cast("uintptr_t", pointer)) end

-- Runs a function of the user. An error must not pass through C, so it is raised after the call.
local function guard(default, f, ...)
    local ok, result = pcall(f, ...)
    if ok then return result end
    if callback_error == nil then callback_error = result end
    return default
end

-- LuaJIT cannot pass structs by value to callbacks, or return them. So the callbacks are declared
-- as the machine passes structs. A cn_side is on the stack of x86-64, except on Windows; elsewhere
-- it is a pointer. A cn_pre_solve_result is returned in two registers, and a callback can set only
-- the first; on Windows it is written to a pointer.
local is_windows = ffi.os == "Windows"
local on_stack = ffi.arch == "x64" and not is_windows
local abi_ok = ffi.arch == "x64" or ffi.arch == "arm64"
local query_world  -- the world of the query that is prepared
local accepts = {} -- the accept() of each running query; its user pointer is the index
local outer = 0    -- how many of them belong to queries around the current one

local function pre_solve(world, contact)
    local self = worlds[address(world)]
    local result = guard(nil, self.functions.pre_solve, read("cn_contact", contact, self))
    return type(result) == "table" and result or {}
end

-- A C function for each callback of the API, made when it is first used. The number of callbacks is
-- limited, so all worlds share them.
local makers = {
    ["cn_callbacks.filter"] = function()
        return ffi.cast("bool (*)(cn_world *, uint64_t, uint64_t, void *)", function(world, a, b)
            local self = worlds[address(world)]
            return guard(true, self.functions.filter, object(self, "cn_shape", a),
                         object(self, "cn_shape", b)) and true or false
        end)
    end,
    ["cn_callbacks.pre_solve"] = function()
        if is_windows then
            return ffi.cast("cn_pre_solve_result *(*)(cn_pre_solve_result *, cn_world *, " ..
                "const cn_contact *, void *)", function(out, world, contact)
                    out[0] = make("cn_pre_solve_result", pre_solve(world, contact))
                    return out
                end)
        end
        return ffi.cast("uint64_t (*)(cn_world *, const cn_contact *, void *)",
            function(world, contact)
                local result = pre_solve(world, contact)
                for key in pairs(result) do
                    if key ~= "disabled" and callback_error == nil then
                        callback_error = "pre_solve can only return {disabled = true} in LuaJIT"
                    end
                end
                return result.disabled and 1 or 0
            end)
    end,
    ["cn_callbacks.before_step"] = function()
        return ffi.cast("void (*)(cn_world *, float, void *)", function(world, dt)
            local self = worlds[address(world)]
            guard(nil, self.functions.before_step, dt)
        end)
    end,
    ["cn_query.accept"] = function()
        local function accept(world, side, user)
            local before = outer
            outer = #accepts
            local result = guard(false, accepts[address(user)],
                                 read("cn_side", side[0], worlds[address(world)]))
            outer = before
            return result and true or false
        end
        if not on_stack then
            return ffi.cast("bool (*)(const cn_world *, const cn_side *, void *)", accept)
        end
        return ffi.cast("bool (*)(const cn_world *, void *, size_t, size_t, size_t, size_t, " ..
            "uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t)",
            function(world, user, _, _, _, _, ...)
                local side = ffi.new("uint64_t[6]", {...})
                return accept(world, ffi.cast("cn_side *", side), user)
            end)
    end,
    ["cn_recording_sink.write"] = function()
        return ffi.cast("bool (*)(const void *, size_t, void *)", function(bytes, size, user)
            local write = writers[address(user)]
            return guard(false, write, ffi.string(bytes, tonumber(size))) and true or false
        end)
    end,
    ["cn_error_set_hook.function"] = function()
        return ffi.cast("void (*)(int, const char *, void *)", function(kind, text)
            guard(nil, error_hook, enums.cn_error_kind[kind], ffi.string(text))
        end)
    end,
}

local made = {}

local function shared_callback(name)
    if not abi_ok and (name == "cn_callbacks.pre_solve" or name == "cn_query.accept") then
        fail(name:match("%.(.*)") .. " must be a C function on this machine")
    end
    made[name] = made[name] or makers[name]()
    return made[name]
end

function callback(name, f, s)
    if f == nil or type(f) == "cdata" then return f end
    if type(f) ~= "function" then wrong("function", f) end
    if not makers[name] then fail(name:match("%.(.*)") .. " must be a C function") end
    if name == "cn_query.accept" then
        if query_world.thread_count > 1 then fail("accept() in Lua needs a world of one thread") end
        accepts[#accepts + 1] = f
        s.user = ffi.cast("void *", #accepts)
    end
    return shared_callback(name)
end

-- Removes the accept() functions of a query that has ended.
local function forget_accepts()
    for i = #accepts, outer + 1, -1 do accepts[i] = nil end
end

-- Begins a query of a world.
local function begin_query(world)
    forget_accepts() -- of a query with wrong arguments, which did not end
    query_world = world
end

-- Compiled code must not call C functions that call back. As long as there is a recording or an
-- error hook, any call may call back, so LuaJIT interprets this module.
local interpreted = 0
local never_compiled = {}

local function interpret(change)
    local before = interpreted
    interpreted = interpreted + change
    if before == 0 and interpreted > 0 then
        jit.off(this_file, true)
        jit.flush()
    elseif before > 0 and interpreted == 0 then
        jit.on(this_file, true)
        for _, f in ipairs(never_compiled) do jit.off(f, true) end
    end
end

-- Marks a function that may call back.
local function calls_back(f)
    jit.off(f, true)
    never_compiled[#never_compiled + 1] = f
    return f
end

--- Calls function(kind, text) for every call that fails on this thread, before the error is raised.
--- nil removes it. The function must not call Cairn.
function cairn.error_set_hook(f)
    if (f ~= nil) ~= (error_hook ~= nil) then interpret(f and 1 or -1) end
    error_hook = f
    C.cn_error_set_hook(f and shared_callback("cn_error_set_hook.function") or nil, nil)
end

-- ------------------------------------------------------------------------------------------ worlds

local function known() return {live = {}, stale = setmetatable({}, {__mode = "v"})} end

local function threads_of(def) return def.tasks and 2 or def.threads or 1 end

local function new_world(pointer, def)
    local self = setmetatable({
        pointer = pointer,
        thread_count = threads_of(def),
        functions = {},
        rollbacks = setmetatable({}, {__mode = "k"}),
        objects = {cn_body = known(), cn_shape = known(), cn_joint = known(), cn_grid = known(),
                   cn_chain = known()},
    }, World)
    worlds[address(pointer)] = self
    return self
end

--- Creates a world from a definition: cairn.World{gravity = {0, -10}}. See cn_world_def.
function cairn.World(def)
    def = def or {}
    local pointer = C.cn_world_create(make("cn_world_def", def))
    check()
    return new_world(ffi.gc(pointer, C.cn_world_destroy), def)
end

-- Lua runs on one thread only.
local function check_callback(threads, name, f)
    if type(f) == "function" and threads > 1 and name ~= "before_step" then
        fail(name .. " in Lua needs a world of one thread")
    end
end

--- Creates a world in the state in bytes from world:save(). Of the definition it uses the
--- allocator, tasks, threads, lanes, profiling and move_events. `callbacks` has the filter, pre_solve
--- and before_step of the world that was saved. They may also be set before the next step.
function cairn.world_load(bytes, def, callbacks)
    def = def or {}
    local functions = {}
    for name, f in pairs(callbacks or {}) do
        check_callback(threads_of(def), name, f)
        functions[name] = f
    end
    local pointer = C.cn_world_load(make("cn_world_def", def), make("cn_callbacks", functions),
                                    bytes, #bytes)
    check()
    local self = new_world(ffi.gc(pointer, C.cn_world_destroy), def)
    self.functions = functions
    return self
end

local function forget_recording(self)
    if recorded[self] then
        writers[recorded[self]] = nil
        recorded[self] = nil
        interpret(-1)
    end
end

-- Rollbacks use their world, so they are destroyed before it.
local function destroy_rollbacks(self)
    for rollback in pairs(self.rollbacks) do rollback:destroy() end
end

--- Destroys the world and everything in it, and its rollbacks. A second call does nothing. The
--- garbage collector does the same, but does not know how much memory a world takes.
world_methods.destroy = calls_back(function(self)
    local pointer = self.pointer
    if pointer == nil or self.replay then return end
    self.pointer = nil
    destroy_rollbacks(self)
    C.cn_world_destroy(ffi.gc(pointer, nil))
    worlds[address(pointer)] = nil
    forget_recording(self)
end)

--- Advances the world by dt seconds, 0..1.
world_methods.step = calls_back(function(self, dt)
    check_step(C.cn_world_step(self.pointer, dt))
    return self
end)

--- Advances the world by the time of a frame in seconds, in whole steps. Returns the number of
--- steps.
world_methods.advance = calls_back(function(self, seconds)
    local steps = C.cn_world_advance(self.pointer, seconds)
    check_step(steps >= 0)
    return steps
end)

--- Advances many worlds by dt seconds each, on the threads of the first one. Worlds with callbacks
--- or a recording in Lua need a first world of one thread. Raises the error of the first world that
--- was not stepped; the others are stepped.
cairn.worlds_step = calls_back(function(list_of_worlds, dt)
    local count = #list_of_worlds
    local pointers, errors = ffi.new("cn_world *[?]", count), ffi.new("cn_error_kind[?]", count)
    for i, world in ipairs(list_of_worlds) do
        pointers[i - 1] = pointer_of("cn_world", world)
        if list_of_worlds[1].thread_count > 1 and (next(world.functions) or recorded[world]) then
            fail(("world %d has functions in Lua, which run on one thread only"):format(i))
        end
    end
    local stepped = C.cn_worlds_step(pointers, count, dt, errors)
    check_step(stepped == count)
    return stepped
end)

--- All callbacks as a table. Set: those that are left out are removed.
function world_get.callbacks(self)
    local c, functions = C.cn_world_callbacks(self.pointer), {}
    check()
    if c.filter == nil and c.pre_solve == nil and c.before_step == nil then return functions end
    for name, f in pairs(self.functions) do functions[name] = f end
    return functions
end

function world_set.callbacks(self, callbacks)
    local functions = {}
    for name, f in pairs(callbacks) do
        check_callback(self.thread_count, name, f)
        functions[name] = f
    end
    C.cn_world_set_callbacks(self.pointer, make("cn_callbacks", functions))
    check()
    self.functions = functions
end

for _, name in ipairs{"filter", "pre_solve", "before_step"} do
    world_get[name] = function(self) return self.functions[name] end
    world_set[name] = function(self, f)
        local functions = self.callbacks
        functions[name] = f
        self.callbacks = functions
    end
end

local function merge(def, changes)
    local result = {}
    for key, value in pairs(def) do result[key] = value end
    for key, value in pairs(changes) do
        local old = result[key]
        local is_part = type(old) == "table" and type(value) == "table" and
            (not getmetatable(old) or getmetatable(old).is_struct)
        result[key] = is_part and merge(old, value) or value
    end
    return result
end

local function create(self, kind, id, def)
    local result = object(self, kind, id)
    if def.data ~= nil then result.data = def.data end
    kept = {}
    return result
end

--- Creates a body. See cn_body_def. A shape of `shapes` is a hull, or a table like
--- {hull = cairn.box(1, 1), density = 2}. `data`, also that of a shape, is any value for the field of
--- that name.
function world_methods:create_body(def)
    local fields, shapes = {}, nil
    for key, value in pairs(def or {}) do fields[key] = value end
    if fields.shapes and #fields.shapes == 0 then fields.shapes = nil end
    if fields.shapes then
        shapes = {}
        for i, shape in ipairs(fields.shapes) do
            shapes[i] = type(shape) == "cdata" and {hull = shape} or shape
        end
        fields.shapes = shapes
    end
    local handle = C.cn_body_create(self.pointer, make("cn_body_def", fields))
    check()
    local body = create(self, "cn_body", handle.id, fields)
    if shapes then
        local i = 0
        for shape in body:shapes() do
            i = i + 1
            shape.data = shapes[i].data
        end
    end
    return body
end

--- Adds a shape, a hull with the properties of cn_shape_def. Returns the shape.
function body_methods:create_shape(hull, def)
    def = def or {}
    local c = make("cn_shape_def", def)
    c.hull = make("cn_hull", hull)
    local handle = C.cn_shape_create(self.world.pointer, self.id, c)
    check()
    return create(self.world, "cn_shape", handle.id, def)
end

--- Adds a chain of segments through a list of points, with the properties of cn_chain_def. Returns
--- the chain.
function body_methods:create_chain(points, def)
    def = def or {}
    local c = make("cn_chain_def", merge(def, {points = points}))
    local handle = C.cn_chain_create(self.world.pointer, self.id, c)
    kept = {}
    check()
    return create(self.world, "cn_chain", handle.id, def)
end

--- Adds a grid of tiles to a static body. See cn_grid_def: `solid` is a list of 0 and 1, `tiles` is
--- a list of tables like {solid = true, form = "rises_right"}. Returns the grid.
function body_methods:create_grid(def)
    local handle = C.cn_grid_create(self.world.pointer, self.id, make("cn_grid_def", def))
    check()
    return create(self.world, "cn_grid", handle.id, def)
end

--- Creates a joint from a definition such as cairn.revolute_joint(a, b, point), with changes to it:
--- world:create_joint(cairn.revolute_joint(wall, door, {2, 1}), {angle = {motor = true,
--- motor_speed = 1}}).
function world_methods:create_joint(def, changes)
    if changes then def = merge(def, changes) end
    local handle = C.cn_joint_create(self.pointer, make("cn_joint_def", def))
    check()
    return create(self, "cn_joint", handle.id, def)
end

-- Properties that C sets together with others.
function body_set.angle(self, value) self.pose = {position = self.pose.position, rotation = value} end
for _, set in ipairs{world_set, body_set} do
    function set.linear_damping(self, value) self:set_damping(value, self.angular_damping) end
    function set.angular_damping(self, value) self:set_damping(self.linear_damping, value) end
end
function joint_set.break_force(self, value) self:set_break(value, self.break_torque) end
function joint_set.break_torque(self, value) self:set_break(self.break_force, value) end

-- --------------------------------------------------------------------------------------- iteration

-- An iterator over a list of objects. It skips those that the loop has destroyed.
local function each(objects)
    local i = 0
    return function()
        repeat
            i = i + 1
        until objects[i] == nil or objects[i].valid
        return objects[i]
    end
end

-- for body in world:bodies() do ... end, in the order of next_object(id). The loop may destroy
-- objects.
local function collect(world, kind, next_object)
    local found, handle = {}, next_object(0ULL)
    while handle.id ~= 0 do
        found[#found + 1] = object(world, kind, handle.id)
        handle = next_object(handle.id)
    end
    check()
    return each(found)
end

-- ------------------------------------------------------------------------------- events and results

local events_meta, events_fields = {}, structs.cn_events
function events_meta.__index(self, key)
    local field = events_fields[key]
    if not field or field.kind ~= "array" then no_field("events", key, events_fields) end
    local world = self.world
    local events = C.cn_world_events(world.pointer)
    check()
    local result = {}
    for i = 1, events[field.counter] do
        result[i] = read(field.of.type, events[key][i - 1], world)
    end
    return result
end

function events_meta.__newindex() fail("events cannot be set") end
function events_meta.__tostring(self)
    if self.world.pointer == nil then return "events(destroyed)" end
    local counts = {}
    for _, key in ipairs(field_names.cn_events) do
        if #self[key] > 0 then counts[#counts + 1] = ("%d %s"):format(#self[key], key) end
    end
    return ("events(%s)"):format(counts[1] and table.concat(counts, ", ") or "none")
end

--- The events of the last step as lists of tables: world.events.begins, .ends, .hits, .bodies,
--- .broken, .sensor_begins, .sensor_ends, .moved. See cn_events.
function world_get.events(self) return setmetatable({world = self}, events_meta) end

--- Returns the poses of all bodies as an array of floats, and the number of slots. Each slot has x,
--- y, cosine and sine; the x of a body is poses[4 * body.slot]. The next call reuses the array.
function world_methods:poses(drawn)
    local capacity = rawget(self, "pose_capacity") or 0
    local count = C.cn_world_poses(self.pointer, ffi.cast("cn_pose *", rawget(self, "pose_array")),
                                   capacity, drawn or false)
    if count > capacity then
        self.pose_capacity = 2 * count
        self.pose_array = ffi.new("float[?]", 8 * count)
        count = C.cn_world_poses(self.pointer, ffi.cast("cn_pose *", self.pose_array), 2 * count,
                                 drawn or false)
    end
    check()
    return rawget(self, "pose_array"), count
end

--- Makes a drawing for debugging: world:draw("shapes", "contacts"). Returns a cn_drawing with the
--- arrays .triangles and .lines, which count from 0 and are valid until the world changes.
function world_methods:draw(...)
    local drawing = ffi.new("cn_drawing")
    C.cn_world_draw(self.pointer, flags("cn_draw_flags", ...), drawing)
    check()
    return drawing
end

--- Cuts a concave outline into convex hulls. `outlines` is a list of points, or a list of outlines:
--- the first is the outer one, and the others are holes. `radius` (m, default 0) rounds the hulls.
function cairn.outline_decompose(outlines, radius)
    local first = outlines[1]
    if ffi.istype(vec2, first) or type(first) == "table" and type(first[1] or first.x) == "number" then
        outlines = {outlines}
    end
    local count = #outlines
    local c = ffi.new("cn_outline[?]", count)
    for i, points in ipairs(outlines) do
        c[i - 1].points, c[i - 1].count = array({kind = "struct", type = "vec2s"}, points)
    end
    local hulls = list({kind = "struct", type = "cn_hull"}, nil, function(values, capacity)
        return C.cn_outline_decompose(c, count, radius or 0, values, capacity)
    end)
    kept = {}
    check()
    return hulls
end

-- ------------------------------------------------------------------- saving, rewinding, recordings

--- Keeps the last states of the world in memory, up to `frames` (1..65536). Returns a rollback with
--- :keep(number), :rewind(number), .oldest, .newest and :destroy().
function world_methods:create_rollback(frames)
    local pointer = C.cn_rollback_create(self.pointer, frames)
    check()
    pointer = ffi.gc(pointer, C.cn_rollback_destroy)
    local rollback = setmetatable({world = self, pointer = pointer}, Rollback)
    self.rollbacks[rollback] = true
    return rollback
end

--- Destroys the rollback. A second call does nothing.
function rollback_methods:destroy()
    local pointer = self.pointer
    if pointer == nil then return end
    self.pointer = nil
    C.cn_rollback_destroy(ffi.gc(pointer, nil))
end

--- Begins to record the calls on the world: write(bytes) gets strings to append and returns true.
--- write() must not call Cairn. Until the recording ends, LuaJIT interprets this module.
world_methods.begin_recording = calls_back(function(self, write)
    local number = #writers + 1
    writers[number] = write
    interpret(1)
    local sink = ffi.new("cn_recording_sink")
    sink.write = shared_callback("cn_recording_sink.write")
    sink.user = ffi.cast("void *", number)
    local is_recorded = C.cn_recording_begin(self.pointer, sink)
    if is_recorded then
        recorded[self] = number
    else
        writers[number] = nil
        interpret(-1)
    end
    check_callbacks()
    return self
end)

--- Ends the recording.
world_methods.end_recording = calls_back(function(self)
    C.cn_recording_end(self.pointer)
    forget_recording(self)
    check_callbacks()
    return self
end)

--- Returns a copy of a recording without the calls i for which kept_calls[i + 1] is false. The list
--- has a value for each call.
function cairn.recording_cut(bytes, kept_calls)
    local count = #kept_calls
    local flags_of_calls = ffi.new("uint8_t[?]", count)
    for i, is_kept in ipairs(kept_calls) do flags_of_calls[i - 1] = is_kept and 1 or 0 end
    local cut = read_bytes(function(buffer, capacity)
        return C.cn_recording_cut(bytes, #bytes, flags_of_calls, count, buffer, capacity)
    end)
    check()
    return cut
end

--- Creates a replay of a recording, which is a string. `def` is used as in cairn.world_load().
function cairn.Replay(bytes, def)
    local pointer = C.cn_replay_create(make("cn_world_def", def or {}), bytes, #bytes)
    check()
    return setmetatable({bytes = bytes, pointer = ffi.gc(pointer, C.cn_replay_destroy)}, Replay)
end

--- Destroys the replay with its world. A second call does nothing.
function replay_methods:destroy()
    local pointer, world = self.pointer, rawget(self, "own_world")
    if pointer == nil then return end
    self.pointer = nil
    if world then
        world.pointer = nil
        destroy_rollbacks(world)
    end
    C.cn_replay_destroy(ffi.gc(pointer, nil))
end

--- The world of the replay, to draw and read it. It belongs to the replay.
function replay_get.world(self)
    local pointer = C.cn_replay_world(self.pointer)
    check()
    local world = rawget(self, "own_world")
    if not world then
        world = new_world(pointer, {})
        world.replay = self
        self.own_world = world
    end
    return world
end

--- The next call and its arguments as text; "" after the last call.
function replay_get.text(self)
    local text = C.cn_replay_text(self.pointer)
    check()
    return ffi.string(text)
end

-- ------------------------------------------------------------------- functions made from api.json

local rotation_methods, pose_methods, bounds_methods, hull_methods, sweep_methods = {}, {}, {}, {}, {}

--@functions

-- ------------------------------------------------------------------------------------------ values

--- Vectors: a + b, a - b, a * s, -a, a == b, a:unpack().
ffi.metatype(vec2, {
    __add = function(a, b) return vec2(a.x + b.x, a.y + b.y) end,
    __sub = function(a, b) return vec2(a.x - b.x, a.y - b.y) end,
    __unm = function(a) return vec2(-a.x, -a.y) end,
    __mul = function(a, b)
        if type(a) == "number" then a, b = b, a end
        return vec2(a.x * b, a.y * b)
    end,
    __eq = function(a, b)
        return ffi.istype(vec2, a) and ffi.istype(vec2, b) and a.x == b.x and a.y == b.y
    end,
    __tostring = function(a) return ("(%g, %g)"):format(a.x, a.y) end,
    __index = setmetatable({unpack = function(a) return a.x, a.y end}, {
        __index = function(_, key) no_field("vector", key, {x = true, y = true, unpack = true}) end}),
})
local value_methods = {cn_pose = pose_methods, cn_rotation = rotation_methods,
                       cn_bounds = bounds_methods, cn_hull = hull_methods, cn_sweep = sweep_methods}
for name in pairs(plain) do
    local methods, meta = value_methods[name], {__tostring = show_fields(name)}
    if methods then
        meta.__index = setmetatable(methods, {
            __index = function(_, key) no_field(name:sub(4), key, structs[name], methods) end})
    end
    --- Poses: a * b takes pose b, given in the frame of a, to the frame of a.
    if name == "cn_pose" then meta.__mul = pose_methods.multiply end
    if name == "cn_hull" then
        function meta.__tostring(hull)
            local points = {}
            for i = 1, hull.count do points[i] = tostring(hull.vertices[i - 1]) end
            return ("hull(%s; radius %g)"):format(table.concat(points, ", "), hull.radius)
        end
    end
    if name ~= "vec2s" then ffi.metatype(types[name], meta) end
end

--- Vectors, poses and sweeps as structs, and the functions of C themselves.
function cairn.vec2(x, y) return vec2(x, y) end
function cairn.sweep(fields) return make("cn_sweep", fields) end
cairn.C = C

for _, f in ipairs(never_compiled) do jit.off(f, true) end
return cairn
