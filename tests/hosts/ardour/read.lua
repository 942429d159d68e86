-- The session that make.lua saved, opened again: what is Size?

assert(AudioEngine:set_backend("None (Dummy)", "", ""), "there is no dummy backend")
local session = assert(load_session(os.getenv("ICTUS_SESSION"), "ictus"), "the session does not open")
ARDOUR.LuaAPI.usleep(300000)
local route = session:route_by_name("ictus")
local what = route:nth_plugin(0):to_insert():plugin(0)
local count = 0
for i = 0, what:parameter_count() - 1 do
    if what:parameter_is_control(i) then
        if what:parameter_label(i) == "Size" then
            local value = ARDOUR.LuaAPI.get_processor_param(route:nth_plugin(0), count)
            print("size", value)
        end
        count = count + 1
    end
end
close_session()
