-- KEYS: 1 meta, 2 stream, 3 channel, 4 an idempotency key, if there is one, 5 that of the message before, if it has to be
--       there: it may have failed when this one was on its way
-- ARGV: 1 candidate, 2 ms for which the topic is remembered, 3 kind, 4 payload, 5 PUBLISH or SPUBLISH, 6 messages to keep, 7 ms to keep them,
--       8 ms for which the idempotency key is remembered after its last use,
--       9 the key of the server
-- An entry of the stream has the id OFFSET-TIME: ids grow, as offsets do, and tell the age.
if KEYS[4] then
  local earlier = redis.call('GETEX', KEYS[4], 'PX', ARGV[8])
  if earlier then
    return earlier
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
  local oldest = redis.call('XRANGE', KEYS[2], '-', '+', 'COUNT', 1)[1]
  local from, since = string.match(oldest[1], '(%d+)-(%d+)')
  if tonumber(since) + tonumber(ARGV[7]) < time then
    redis.call('XTRIM', KEYS[2], 'MINID', text(tonumber(from) + 1))
  end
end
redis.call(ARGV[5], KEYS[3], position .. ' ' .. ARGV[3] .. ARGV[4])
if KEYS[4] then
  redis.call('SET', KEYS[4], position, 'PX', ARGV[8])
end
return position
