-- A session of Ardour with the instrument on a track: found, loaded, turned, played, recorded, automated, saved.
-- Run by `cargo xtask hosts`; ICTUS_SESSION is the folder that is made. What it prints is read there.

local folder = os.getenv("ICTUS_SESSION")
local pause = ARDOUR.LuaAPI.usleep
assert(AudioEngine:set_backend("None (Dummy)", "", ""), "there is no dummy backend")
local session = assert(create_session(folder, "ictus", 48000), "the session cannot be made")
pause(200000)

local plugin = ARDOUR.LuaAPI.new_plugin_info("Ictus", ARDOUR.PluginType.VST3)
assert(plugin and not plugin:isnil(), "the plug-in is not in Ardour's list")
local notes = ARDOUR.ChanCount(ARDOUR.DataType("midi"), 1)
local sound = ARDOUR.ChanCount(ARDOUR.DataType("audio"), 2)
local route
for made in session:new_midi_track(notes, sound, true, plugin, nil, nil, 1, "ictus", ARDOUR.PresentationInfo.max_order,
                                   ARDOUR.TrackMode.Normal, true):iter() do
    route = made
end
local insert = route:nth_plugin(0):to_insert()
assert(not insert:isnil(), "the plug-in is not on the track")
print("loaded", insert:plugin(0):name())

-- A parameter by its name, counted as Ardour counts: controls only.
local function control(name)
    local count, what = 0, insert:plugin(0)
    for i = 0, what:parameter_count() - 1 do
        if what:parameter_is_control(i) then
            if what:parameter_label(i) == name then return count end
            count = count + 1
        end
    end
    error("there is no " .. name)
end
-- As the host sees it, the power of ten.
assert(ARDOUR.LuaAPI.set_processor_param(route:nth_plugin(0), control("Size"), 0.25), "Size cannot be turned")

-- Notes by the port of the host's own keyboard, while the track records.
local port
local _, ports = AudioEngine:get_ports(ARDOUR.DataType("midi"), ARDOUR.PortList())
for found in ports[2]:iter() do
    if found:name() == "x-virtual-keyboard" then
        port = found:to_asyncmidiport()
        found:connect(route:input():midi(0):name())
    end
end
local parser = ARDOUR.RawMidiParser()
local function send(...)
    for _, byte in ipairs({...}) do
        if parser:process_byte(byte) then port:write(parser:midi_buffer(), parser:buffer_size(), 0) end
    end
end
local track = route:to_track()
track:rec_enable_control():set_value(1, PBD.GroupControlDisposition.NoGroup)
pause(300000)
session:maybe_enable_record(false)
session:goto_start(true)
session:request_roll(ARDOUR.TransportRequestSource.TRS_UI)
pause(500000)
assert(session:actively_recording(), "it does not record")
local loudest = -200
for _, key in ipairs({60, 64, 67, 72}) do
    send(0x90, key, 100)
    for _ = 1, 20 do
        pause(10000)
        loudest = math.max(loudest, session:master_out():peak_meter():meter_level(0, ARDOUR.MeterType.MeterPeak))
    end
    send(0x80, key, 64)
    pause(100000)
end
pause(1500000)
session:request_stop(false, false, ARDOUR.TransportRequestSource.TRS_UI)
pause(1000000)
track:rec_enable_control():set_value(0, PBD.GroupControlDisposition.NoGroup)
local regions = 0
for _ in track:playlist():region_list():iter() do regions = regions + 1 end
assert(regions == 1, regions .. " regions were recorded")
print("heard", loudest, "dB")

-- The level falls to its least, dB, after a second and a half.
local _, list = ARDOUR.LuaAPI.plugin_automation(route:nth_plugin(0), control("Level"))
local function at(seconds) return Temporal.timepos_t(math.floor(48000 * seconds)) end
list:add(at(0.0), 0.0, false, true)
list:add(at(1.5), 0.0, false, true)
list:add(at(1.51), -60.0, false, true)
local which = Evoral.Parameter(ARDOUR.AutomationType.PluginAutomation, 0, control("Level"))
route:nth_plugin(0):to_automatable():automation_control(which, true):set_automation_state(ARDOUR.AutoState.Play)
session:save_state("")
print("saved", regions)
close_session()
