-- Replays recordings, and prints what record_scenes printed for them: a line "NAME HASH" for each.
--
--     luajit replay_scenes.lua FILE...      in this order
local cairn = require "cairn"

for _, path in ipairs(arg) do
    local file = assert(io.open(path, "rb"))
    local replay = cairn.Replay(file:read("*a"))
    file:close()
    while replay.at.call < replay.at.calls do replay:next() end
    local hash = replay.desync.found and "differs" or bit.tohex(replay.world.hash)
    print(path:match("([^/]+)%.cairn$") .. " " .. hash)
    replay:destroy()
end
