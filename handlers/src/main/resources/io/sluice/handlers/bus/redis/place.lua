local function text(number)
  return string.format('%.0f', number)
end

-- The time of the server, in ms since 1970.
local function now()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

-- The epoch and the offset of a topic's last message. A new epoch begins where the topic is not known, and where
-- another server process has taken over (a restart, a failover): that may not have the last messages of the one
-- before, and would give their offsets to others.
-- meta, stream: keys of the topic; candidate: an epoch at random; doubt: ms for which the server before may go on to
-- take messages, 0 if it has ended. Behind these a second epoch begins, as subscribers here miss those messages, too.
local function place(meta, stream, candidate, doubt)
  local run = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)')
  local known = redis.call('HMGET', meta, 'run', 'epoch', 'offset', 'doubt')
  local another = known[1] ~= run
  if another or known[4] and tonumber(known[4]) < now() then
    redis.call('DEL', meta, stream)
    redis.call('HSET', meta, 'run', run, 'epoch', candidate, 'offset', '0')
    if another and known[1] and doubt ~= '0' then
      redis.call('HSET', meta, 'doubt', text(now() + tonumber(doubt)))
    end
    known = { run, candidate, '0' }
  end
  return known[2], tonumber(known[3])
end

