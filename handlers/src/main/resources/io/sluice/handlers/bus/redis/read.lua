-- KEYS: 1 meta, 2 stream
-- ARGV: 1 candidate, 2 ms for which a topic without a message is remembered, 3 epoch, 4 offset of the position after which to read; both empty for the last message
--       5 the bytes of payload that suffice, 6 the key of the server, 7 ms for which messages are kept: older ones stay where
--       publications are rare
-- Returns the position of the last message, 'yes' if the messages follow without a gap, and of each message its
-- offset, kind and payload.
local epoch, last = place(KEYS[1], KEYS[2], ARGV[1], ARGV[6])
if last == 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[2]) -- whoever may read can name many
end
local result = { epoch .. ':' .. text(last), 'yes' }

local oldest = now() - tonumber(ARGV[7])

local function isOld(entry)
  return tonumber(string.match(entry[1], '%-(%d+)')) < oldest
end

local function add(entry)
  table.insert(result, string.match(entry[1], '%d+'))
  table.insert(result, entry[2][1])
  table.insert(result, entry[2][2])
end

if ARGV[3] == '' then
  local newest = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)[1]
  if newest and tonumber(string.match(newest[1], '%d+')) == last and not isOld(newest) then
    add(newest)
  end
  return result
end
local after = tonumber(ARGV[4])
if ARGV[3] ~= epoch or after > last then
  result[2] = 'no'
  return result
end
local bytes = 0
local count = 1 -- grows with the messages that were small enough: one more than needed costs its size here and in Lua
while after < last and bytes < tonumber(ARGV[5]) do
  local before = after
  local entries = redis.call('XRANGE', KEYS[2], text(after + 1), '+', 'COUNT', count)
  for _, entry in ipairs(entries) do
    if tonumber(string.match(entry[1], '%d+')) ~= after + 1 or isOld(entry) then
      break
    end
    after = after + 1
    bytes = bytes + #entry[2][2] + 64
    add(entry)
    if bytes >= tonumber(ARGV[5]) then
      break
    end
  end
  if after == before then
    break
  end
  count = math.min(2 * count, 16)
end
if after < last and #result == 2 then
  result[2] = 'no'
end
return result
