local function text(number)
  return string.format('%.0f', number)
end

-- The time of the server, in ms since 1970.
local function now()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

-- The ms for which a master that Sentinels replace may go on to take messages: the default of min-replicas-max-lag, and
-- a second.
local DOUBT = 11000

-- Returns the time until which the master before this one may take messages; nil if it has ended, or there was none.
-- server: a hash with the process that has served last, and since when
local function endOfDoubt(server, run)
  local known = redis.call('HMGET', server, 'run', 'since')
  if known[1] ~= run then
    known[2] = known[1] and text(now()) or '0'
    redis.call('HSET', server, 'run', run, 'since', known[2])
  end
  local doubt = tonumber(known[2]) + DOUBT
  return doubt > now() and doubt or nil
end

-- The epoch and the offset of a topic's last message. A new epoch begins where the topic is not known, and where
-- another server process has taken over (a restart, a failover): that may not have the last messages of the one
-- before, and would give their offsets to others. With Sentinels, an epoch that begins while the master before may still
-- take messages ends with that doubt, as subscribers here miss those messages, too.
-- meta, stream: keys of the topic; candidate: an epoch at random; server: the key of endOfDoubt, empty without Sentinels
local function place(meta, stream, candidate, server)
  local run = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)')
  local known = redis.call('HMGET', meta, 'run', 'epoch', 'offset', 'doubt')
  if known[1] ~= run or known[4] and tonumber(known[4]) < now() then
    if known[1] then
      redis.call('DEL', meta, stream) -- also beyond maxmemory, of which it frees some
    end
    redis.call('HSET', meta, 'run', run, 'epoch', candidate, 'offset', '0')
    redis.call('DEL', stream) -- of a topic that is not known any more
    local doubt = server ~= '' and endOfDoubt(server, run)
    if doubt then
      redis.call('HSET', meta, 'doubt', text(doubt))
    end
    known = { run, candidate, '0' }
  end
  return known[2], tonumber(known[3])
end

