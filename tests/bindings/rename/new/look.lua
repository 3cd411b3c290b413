-- Calls of Cairn 0.1 that need a person.
local cairn = require("cairn")
local world = cairn.World{}
play(world:create_body(def):shape(hull))
local crate = world:create_body{}
keep(crate:create_shape(hull))
crate.bullet, crate.disabled = true, false
world.filter = function(a, b) return a ~= b end
if crate:set_pose({1, 2}, 0) then print(crate) end
