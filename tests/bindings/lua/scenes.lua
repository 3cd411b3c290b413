-- The four scenes of ../reach/scenes.c: prints name, hash after 100 steps, hash at the end.
local cairn = require("cairn")

local function add_body(world, kind, x, y, hull)
    return world:create_body{type = kind, position = {x, y}, shapes = {
        {hull = hull, density = 1, material = {friction = 0.6}}}}
end

local function add_ground(world) add_body(world, "static", 0, -1, cairn.box(100, 1)) end

local function pyramid(world)
    add_ground(world)
    for row = 0, 39 do
        for i = 0, 39 - row do
            add_body(world, "dynamic", i + row * 0.5 - 19.5, 0.5 + row, cairn.box(0.5, 0.5))
        end
    end
end

local function bin(world)
    add_ground(world)
    for side = -1, 1, 2 do add_body(world, "static", side * 13, 20, cairn.box(1, 20)) end
    local hulls = {[0] = cairn.circle(0.4), cairn.box(0.4, 0.4), cairn.regular_polygon(3, 0.5),
                   cairn.regular_polygon(6, 0.45)}
    for i = 0, 999 do
        local row, column = math.floor(i / 20), i % 20
        add_body(world, "dynamic", column * 1.1 - 10.45 + (row % 2) * 0.3, 2 + row * 1.1, hulls[i % 4])
    end
end

local function stacks(world)
    local ground = world:create_body{type = "static"}
    ground:create_shape(cairn.segment({-1000, 0}, {1000, 0}), {material = {friction = 0.6}})
    for i = 0, 99 do
        add_body(world, "dynamic", math.floor(i / 10) * 1.5, 0.25 + i % 10 * 0.5,
                 cairn.box(0.25, 0.25))
    end
end

local function net(world)
    local bodies = {}
    for y = 0, 29 do -- 0 - y, because -y would be -0
        bodies[y] = {}
        for x = 0, 29 do
            local hangs = y > 0 or (x > 0 and x < 29)
            local body = add_body(world, hangs and "dynamic" or "static", x, 0 - y, cairn.circle(0.2))
            bodies[y][x] = body
            local function join(other, x_of_pin, y_of_pin)
                world:create_joint(cairn.revolute_joint(other, body, {x_of_pin, y_of_pin}))
            end
            if x > 0 then join(bodies[y][x - 1], x - 0.5, 0 - y) end
            if y > 0 then join(bodies[y - 1][x], x, 0.5 - y) end
        end
    end
end

for _, scene in ipairs{{"pyramid40", 300, pyramid}, {"bin1000", 600, bin}, {"stacks100", 600, stacks},
                       {"net30", 300, net}} do
    local name, steps, build = unpack(scene)
    local world = cairn.World{gravity = {0, -10}, no_sleep = true}
    build(world)
    local line = name
    for i = 1, steps do
        world:step(1 / 60)
        if i == 100 or i == steps then line = line .. " " .. bit.tohex(world.hash) end
    end
    print(line)
    world:destroy()
end
