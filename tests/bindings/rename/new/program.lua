-- A program for Cairn 0.1 in Lua.
local cairn = require("cairn")

local world = cairn.World{gravity = {0, -10}, profiling = true}
local ground = world:create_body{type = "static"}
local tiles = ground:create_grid{solid = {1, 1, 1, 1}, width = 4, height = 1, tile_size = 1}
world:create_body{type = "static", position = {20, 0}, shapes = {cairn.box(5, 1)}}

local player = {enabled = true} -- not a body
player.body = world:create_body{position = {1, 3}, max_speed = 40}
player.shape = player.body:create_shape(cairn.box(0.5, 0.5), {density = 2})

function player:stands() return self.body:ground({0, 1}, 0.795399).found end

function player:jump()
    self.body:apply_impulse{0, 5 * self.body.mass}
    self.body.asleep = false
end

function player:freeze(on)
    self.body.disabled = on
    self.enabled = not on
end

local function make_wheel(x, y)
    local wheel = world:create_body{position = {x, y}}
    local rim = wheel:create_shape(cairn.regular_polygon(6, 0.5), {hit_events = true})
    rim.density = 3
    return wheel
end

local wheel = make_wheel(8, 3)
local hinge = world:create_joint(cairn.revolute_joint(ground, wheel, {8, 3}),
                          {angle = {motor = true, motor_speed = 1, max_motor_force = 50}})
local lift = world:create_body{type = "kinematic", position = {12, 0}, shapes = {cairn.box(1, 0.2)}}
wheel.pose = {8, 3, 0.2}
lift:set_target({12, 1}, 1)
hinge:set_motor_speed("angle", 2)
hinge.disabled = false
hinge.polar = false
world.filter = function(a, b) return a ~= b end
wheel:apply_impulse_at({0, 1}, wheel.center)
world.before_step = function(dt) wheel:apply_force{0, dt} end

for _ = 1, 60 do
    world:step(1 / 60)
    for _, begin in ipairs(world.events.begins) do
        if begin.a.grid or begin.b.grid then print("tile", begin.a.tile, begin.b.tile) end
    end
end
player:jump()
player:freeze(false)
tiles:set_solid(0, 0, false)
for body in world:bodies() do
    if body.asleep then print("asleep", body.slot, body.velocity.x) end
end
wheel.velocity, wheel.gravity_scale = {1, 0}, 0.5
print(tiles:solid(1, 0), #world:overlap_point{8, 3}, player:stands(), not world.no_sleep, lift.position.y)
if not wheel.disabled and wheel.asleep then print(wheel.mass) end
print(("%.1f"):format(hinge:rate("angle")), cairn.box(1, 1):mass_data(2).mass, world.counters.bodies)
world:destroy()
print(cairn.error_code(), cairn.rotation_of(0).c, cairn.pose_at({1, 2}, 0).position.y)
