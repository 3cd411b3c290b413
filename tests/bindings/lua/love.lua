
-- Appended to the game of the README: prints where the crate is after some seconds, and quits.
local update, time = love.update, 0
function love.update()
    update(1 / 60)
    time = time + 1 / 60
    if time > 4 then
        print(("the crate is at %.1f"):format(crate.position.y))
        love.event.quit()
    end
end
