-- A program for Cairn 0.1 in Lua.
local cairn = require("cairn")

local world = cairn.World{gravity = {0, -10}, profile = true}
local ground = world:body{type = "static"}
local tiles = ground:tiles{solid = {1, 1, 1, 1}, width = 4, height = 1, tile_size = 1}
world:body{type = "static", position = {20, 0}}:shape(cairn.box(5, 1))

local player = {enabled = true} -- not a body
player.body, player.shape = world:body{position = {1, 3}, speed_limit = 40}
    :shape(cairn.box(0.5, 0.5), {density = 2})

function player:stands() return self.body:ground({0, 1}, 0.7).found end

function player:jump()
    self.body:apply_center_impulse{0, 5 * self.body.mass.mass}
    self.body.awake = true
end

function player:freeze(on)
    self.body.enabled = not on
    self.enabled = not on
end

local function make_wheel(x, y)
    local wheel, rim = world:body{position = {x, y}}:shape(cairn.regular(6, 0.5), {hit_events = true})
    rim.density = 3
    return wheel
end

local wheel = make_wheel(8, 3)
local hinge = world:joint(cairn.revolute(ground, wheel, {8, 3}),
                          {angle = {motor = true, speed = 1, motor_force = 50}})
local lift = world:body{type = "kinematic", position = {12, 0}}:shape(cairn.box(1, 0.2))
wheel:set_pose({8, 3}, 0.2)
lift:set_target({12, 1}, 0, 1)
hinge:set_speed("angle", 2)
hinge:set_enabled(true)
hinge:set_polar(false)
world.filter = function(a, b) return a ~= b end
wheel:apply_impulse({0, 1}, wheel.center)
world.before_step = function(dt) wheel:apply_center_force{0, dt} end

for _ = 1, 60 do
    world:step(1 / 60)
    for _, begin in ipairs(world.events.begins) do
        if begin.a.tiles or begin.b.tiles then print("tile", begin.a.tile, begin.b.tile) end
    end
end
player:jump()
player:freeze(false)
tiles:set(0, 0, false)
for body in world:bodies() do
    if not body.awake then print("asleep", body.slot, body.velocity.x) end
end
wheel.velocity, wheel.gravity_scale = {1, 0}, 0.5
print(tiles:get(1, 0), #world:at{8, 3}, player:stands(), world.sleeping, lift.position.y)
if wheel.enabled and not wheel.awake then print(wheel.mass.mass) end
print(("%.1f"):format(hinge:speed("angle")), cairn.box(1, 1):mass(2).mass, world.counters.bodies)
world:destroy()
print(cairn.error_kind(), cairn.rotation(0).c, cairn.pose({1, 2}, 0).position.y)
