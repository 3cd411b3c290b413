-- cairn.lua refuses a library that was built from another cairn.h, with both versions in the error.
local ffi = require("ffi")

local library
ffi.cdef = function() end
ffi.load = function() return library end

-- A missing function is an error, as in a library of the FFI.
local function make(functions)
    return setmetatable({}, {__index = function(_, name) return functions[name] or error("undefined symbol: " .. name) end})
end

local function refused(functions, text)
    library, package.loaded.cairn = make(functions), nil
    local ok, message = pcall(require, "cairn")
    assert(not ok and message:find(text), message)
    assert(message:find("this cairn.lua is for version %d+%.%d+%.%d+ %(API %x+%)"), message)
end

refused({cn_version = function() return 20304 end, cn_api_hash = function() return 0x89abcdef end},
    "libcairn is version 2%.3%.4 %(API 89abcdef%)")
refused({cn_version = function() return 100 end}, "libcairn is an older version")
refused({}, "libcairn is an older version")
print("another library is refused")
