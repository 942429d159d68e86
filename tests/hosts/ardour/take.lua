-- The session that make.lua saved, played in real time, with what the instrument gives recorded on a track of its own.

local pause = ARDOUR.LuaAPI.usleep
assert(AudioEngine:set_backend("None (Dummy)", "", ""), "there is no dummy backend")
local session = assert(load_session(os.getenv("ICTUS_SESSION"), "ictus"), "the session does not open")
pause(300000)
local route = session:route_by_name("ictus")
local take
for made in session:new_audio_track(2, 2, nil, 1, "take", ARDOUR.PresentationInfo.max_order,
                                    ARDOUR.TrackMode.Normal, true):iter() do
    take = made
end
for i = 0, 1 do
    local from, to = route:output():audio(i), take:input():audio(i)
    to:disconnect_all()
    assert(from:connect(to:name()) == 0, "the instrument cannot be recorded")
end
local none = PBD.GroupControlDisposition.NoGroup
-- What was recorded before is played, not recorded again: 2 is what the disk has.
route:to_track():rec_enable_control():set_value(0, none)
route:to_track():monitoring_control():set_value(2, none)
take:rec_enable_control():set_value(1, none)
pause(300000)
session:maybe_enable_record(false)
session:goto_start(true)
pause(300000)
session:request_roll(ARDOUR.TransportRequestSource.TRS_UI)
pause(3500000)
assert(session:actively_recording(), "it does not record")
session:request_stop(false, false, ARDOUR.TransportRequestSource.TRS_UI)
pause(1500000)
for region in take:to_track():playlist():region_list():iter() do
    print("take", region:position():samples(), region:length():samples())
end
close_session()
