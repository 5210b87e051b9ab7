-- KEYS: 1 meta, 2 stream, 3 channel, 4 an idempotency key, if there is one, 5 that of the message before, if it has to be
--       there: it may have failed when this one was on its way
-- ARGV: 1 candidate, 2 ms for which the topic is remembered, 3 kind, 4 payload, 5 PUBLISH or SPUBLISH, 6 messages to keep, 7 ms to keep them,
--       8 ms for which the idempotency key is remembered after its last use,
--       9 the key of the server
-- An entry of the stream has the id OFFSET-TIME: ids grow, as offsets do, and tell the age.
-- A new message of a known topic begins with a command that Redis refuses beyond its maxmemory: it refuses none behind
-- another one. For a topic of another server process, place() deletes first, which frees memory.

-- Drops messages that are older than an age in ms, or at most an eighth of it later; there must be a publication to do it.
-- Their ages are known by marks behind the time of the next look, OFFSET-TIME: the messages up to an offset were published
-- by then. To look at the oldest message would copy it.
local function dropOld(meta, stream, offset, time, age)
  local marks = redis.call('HGET', meta, 'marks') or '0'
  local look = tonumber(string.match(marks, '^%d+')) -- 0 with the first message; all before this one came by then
  if time < look then
    return
  end
  local dropped
  local left = { text(time + age / 16) }
  for mark, since in string.gmatch(marks, ' (%d+)-(%d+)') do
    if tonumber(since) + age < time then
      dropped = mark
    else
      table.insert(left, mark .. '-' .. since)
    end
  end
  if dropped then
    redis.call('XTRIM', stream, 'MINID', text(tonumber(dropped) + 1))
  end
  table.insert(left, text(offset - 1) .. '-' .. text(look > 0 and look or time))
  redis.call('HSET', meta, 'marks', table.concat(left, ' '))
end

if KEYS[4] then
  local earlier = redis.call('GET', KEYS[4])
  if earlier then
    local renewed = redis.pcall('PEXPIRE', KEYS[4], ARGV[8])
    if type(renewed) == 'table' and string.find(renewed.err, 'READONLY', 1, true) then
      return renewed -- a former master, which may lose the message
    end
    return earlier -- also if the key cannot be renewed, as the server takes no messages now
  end
end
if KEYS[5] and not redis.call('GET', KEYS[5]) then
  return redis.error_reply('AFTER the message before, which is not here')
end
local epoch = place(KEYS[1], KEYS[2], ARGV[1], ARGV[9])
local offset = redis.call('HINCRBY', KEYS[1], 'offset', 1)
redis.call('PEXPIRE', KEYS[1], ARGV[2])
local position = epoch .. ':' .. text(offset)
if tonumber(ARGV[6]) > 0 then
  local time = now()
  redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[6], text(offset) .. '-' .. text(time), ARGV[3], ARGV[4])
  redis.call('PEXPIRE', KEYS[2], ARGV[7])
  dropOld(KEYS[1], KEYS[2], offset, time, tonumber(ARGV[7]))
end
redis.call(ARGV[5], KEYS[3], position .. ' ' .. ARGV[3] .. ARGV[4])
if KEYS[4] then
  redis.call('SET', KEYS[4], position, 'PX', ARGV[8])
end
return position
