-- The epoch and the offset of a topic's last message. A new epoch begins where the topic is not known, and where
-- another server process has taken over (a restart, a failover): that may not have the last messages of the one
-- before, and would give their offsets to others.
-- meta, stream: keys of the topic; candidate: an epoch at random
local function place(meta, stream, candidate)
  local run = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)')
  local known = redis.call('HMGET', meta, 'run', 'epoch', 'offset')
  if known[1] ~= run then
    redis.call('DEL', meta, stream)
    redis.call('HSET', meta, 'run', run, 'epoch', candidate, 'offset', '0')
    known = { run, candidate, '0' }
  end
  return known[2], tonumber(known[3])
end

local function text(number)
  return string.format('%.0f', number)
end

