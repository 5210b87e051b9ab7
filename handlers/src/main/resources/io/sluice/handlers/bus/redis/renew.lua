-- KEYS: those of presence.lua, for each topic
-- ARGV: 1 ms after which the gateway expires, 2 ms for which the topics are remembered, then for each topic the gateway
--       that reports, its number of anonymous members, and the number of its last report with names that was confirmed
-- Returns for each topic the names of the gateway; -1 if it has to report these and the others again.
-- Each call of a command takes about 1 us, which is why there are so few. Other gateways that have expired are left to
-- whoever reports a change, or asks.
local time = now()
local expires = text(time + tonumber(ARGV[1]))
local soon = text((tonumber(ARGV[1]) + tonumber(ARGV[2])) / 2)
local result = {}

for i = 1, #KEYS, 4 do
  local first = 3 + (i - 1) / 4 * 3
  local self, anonymous, confirmed = ARGV[first], ARGV[first + 1], ARGV[first + 2]
  local known = redis.call('ZADD', KEYS[i], 'XX', 'CH', expires, self) == 1
  local here = redis.call('ZLEXCOUNT', KEYS[i + 1], '[' .. self .. ':', '(' .. self .. ';')
  local reported, number = string.match(redis.call('HGET', KEYS[i + 3], self) or '0:0', '(%d+):(%d+)')
  known = known and tonumber(number) >= tonumber(confirmed)
  if anonymous ~= '0' then
    known = known and reported == anonymous
  elseif reported ~= '0' then
    redis.call('HSET', KEYS[i + 3], self, '0:' .. number)
    redis.call('HINCRBY', KEYS[i + 3], 'version', 1)
  end
  if here == 0 and anonymous == '0' then
    redis.call('HDEL', KEYS[i + 3], self)
    redis.call('ZREM', KEYS[i], self)
  end
  if redis.call('PEXPIRE', KEYS[i], soon, 'GT') == 1 then
    for key = i, i + 3 do
      redis.call('PEXPIRE', KEYS[key], ARGV[2], 'GT')
    end
  end
  table.insert(result, known and here or -1)
end
return result
