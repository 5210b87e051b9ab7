/**
 * A bus on Redis or Valkey. {@link io.sluice.handlers.bus.redis.RedisBus} has, for each server, one
 * connection for commands and one for messages; scripts on the server give messages their positions. The only
 * package that knows Lettuce.
 */
package io.sluice.handlers.bus.redis;
