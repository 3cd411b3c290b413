--- Prints how each function of cairn.h is written in Lua, as JSON:
---
---     luajit signatures.lua cn_body_velocity=Body.velocity cn_box=box ...
---
---     {"cn_body_velocity": ["body.velocity"], "cn_box": ["cairn.box(half_width, half_height)"]}
---
--- The arguments are the functions with their names of api.json. LuaJIT finds the functions with
--- these names in cairn.lua and knows the names of their parameters. A name that is not there is an
--- error. LUA_PATH and CAIRN_LIBRARY name the folder of cairn.lua and the library.
local cairn = require("cairn")

-- An object of each class.
local world, recording = cairn.World(), {}
world:begin_recording(function(bytes)
    recording[#recording + 1] = bytes
    return true
end)
local ground = world:create_body{type = "static"}
local body = world:create_body{shapes = {cairn.box(1, 1)}}
world:end_recording()
local objects = {
    World = world, Body = body, Shape = body:shapes()(),
    Grid = ground:create_grid{solid = {1}, width = 1, height = 1, tile_size = 1},
    Chain = ground:create_chain{{3, 0}, {2, 1}, {1, 1}, {0, 0}},
    Joint = world:create_joint(cairn.weld_joint(ground, body, {0, 0})),
    Rollback = world:create_rollback(1), Replay = cairn.Replay(table.concat(recording))}
local values = {
    Hull = cairn.box(1, 1), Pose = cairn.pose_at({0, 0}, 0), Sweep = cairn.sweep{},
    Rotation = cairn.rotation_of(0), Bounds = body.bounds}

-- The names of the parameters of a function in brackets, without the first ones.
local function parameters(f, left_out)
    local info, names = debug.getinfo(f, "u"), {}
    for i = left_out + 1, info.nparams do names[#names + 1] = debug.getlocal(f, i) end
    if info.isvararg then names[#names + 1] = "..." end
    return "(" .. table.concat(names, ", ") .. ")"
end

-- The line for the word of a class, or nil.
local function of_object(owner, word, is_setter)
    local class, name = getmetatable(objects[owner]), owner:lower()
    if is_setter then
        local set = class.set[word]
        return set and ("%s.%s = %s"):format(name, word, (debug.getlocal(set, 2)))
    end
    if class.get[word] then return name .. "." .. word end
    return class.methods[word] and name .. ":" .. word .. parameters(class.methods[word], 1)
end

local function line(c, lua)
    local owner, word = lua:match("^(%a+)%.(.*)$")
    if not owner then return cairn[lua] and "cairn." .. lua .. parameters(cairn[lua], 0) end
    if values[owner] then
        return owner:lower() .. ":" .. word .. parameters(values[owner][word], 1)
    end
    return of_object(owner, word, c:find("_set_") and not word:find("^set_"))
end

local lines = {}
for _, argument in ipairs(arg) do
    local c, lua = argument:match("^(.*)=(.*)$")
    local found = line(c, lua) or error(("cairn.lua has no %s for %s"):format(lua, c), 0)
    lines[#lines + 1] = (' "%s": ["%s"]'):format(c, found)
end
print("{\n" .. table.concat(lines, ",\n") .. "\n}")
