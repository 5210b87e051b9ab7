-- KEYS: 1 sorted set: the gateways with members, by the ms at which they expire
--       2 sorted set: GATEWAY:NAME of each member of each gateway, in the order of the bytes
--       3 sorted set: the names, by the ms of their coming
--       4 hash: the version, and of each gateway ANONYMOUS:NUMBER, its anonymous members and its last report with names
-- ARGV: 1 the gateway that reports, empty if it only asks, 2 ms after which it expires, 3 ms for which the topic is remembered,
--       4 its number of anonymous members, 5 the version that is known, 6 the names to return at most; 0 to return no state
--       7 the number of names that come, 8 the number of this report, 9 that of the last one with names that was confirmed,
--       then the names that come, then those that go
-- Returns the names of the gateway, or -1 if a confirmed report is lost and it has to report all again, 1 if another one may have to be removed, and unless the version is known: version,
-- number of names, of anonymous members, and names.
local time = now()
local self, changed, more = ARGV[1], false, 0

local function go(gateway, name)
  if redis.call('ZREM', KEYS[2], gateway .. ':' .. name) == 0 then
    return
  end
  for _, other in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
    if redis.call('ZSCORE', KEYS[2], other .. ':' .. name) then
      return
    end
  end
  redis.call('ZREM', KEYS[3], name)
  changed = true
end

-- Of a gateway that has expired, 100 members at a time, which take about 2 ms.
for _, gateway in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', text(time), 'LIMIT', 0, 2)) do
  if gateway ~= self and more == 0 then
    more = 1
    local entries = redis.call('ZRANGEBYLEX', KEYS[2], '[' .. gateway .. ':', '(' .. gateway .. ';', 'LIMIT', 0, 100)
    for _, entry in ipairs(entries) do
      go(gateway, string.sub(entry, #gateway + 2))
    end
    if #entries < 100 then
      redis.call('ZREM', KEYS[1], gateway)
      redis.call('HDEL', KEYS[4], gateway)
      changed = true
    end
  end
end

local here = 0
if self ~= '' then
  local reported = redis.call('HGET', KEYS[4], self) or '0:0'
  local anonymous, number = string.match(reported, '(%d+):(%d+)')
  local lost = tonumber(number) < tonumber(ARGV[9])
  for i = 10, #ARGV do
    if i < 10 + tonumber(ARGV[7]) then
      redis.call('ZADD', KEYS[2], 0, self .. ':' .. ARGV[i])
      if redis.call('ZADD', KEYS[3], 'NX', text(time), ARGV[i]) == 1 then
        changed = true
      end
    else
      go(self, ARGV[i])
    end
  end
  changed = changed or anonymous ~= ARGV[4]
  if #ARGV > 9 and not lost then -- else the loss would be forgotten if this answer is lost
    number = ARGV[8]
  end
  here = redis.call('ZLEXCOUNT', KEYS[2], '[' .. self .. ':', '(' .. self .. ';')
  if here == 0 and ARGV[4] == '0' then
    redis.call('HDEL', KEYS[4], self)
    redis.call('ZREM', KEYS[1], self)
  else
    redis.call('HSET', KEYS[4], self, ARGV[4] .. ':' .. number)
    redis.call('ZADD', KEYS[1], text(time + tonumber(ARGV[2])), self)
  end
  if lost then
    here = -1
  end
end

if changed then
  -- Begins with the time, so that no version returns when the topic was forgotten in between.
  redis.call('HSETNX', KEYS[4], 'version', text(time))
  redis.call('HINCRBY', KEYS[4], 'version', 1)
end
if self ~= '' or changed then
  for _, key in ipairs(KEYS) do
    redis.call('PEXPIRE', key, ARGV[3], 'NX')
    redis.call('PEXPIRE', key, ARGV[3], 'GT')
  end
end

local version = redis.call('HGET', KEYS[4], 'version') or '0'
if tonumber(ARGV[6]) == 0 or version == ARGV[5] then
  return { here, more }
end
local anonymous = 0
local meta = redis.call('HGETALL', KEYS[4])
for i = 1, #meta, 2 do
  if meta[i] ~= 'version' then
    anonymous = anonymous + tonumber(string.match(meta[i + 1], '%d+'))
  end
end
local result = { here, more, version, redis.call('ZCARD', KEYS[3]), anonymous }
for _, name in ipairs(redis.call('ZRANGE', KEYS[3], 0, tonumber(ARGV[6]) - 1)) do
  table.insert(result, name)
end
return result
