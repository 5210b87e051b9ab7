package io.sluice.config.write;

import io.sluice.config.key.Range;
import io.sluice.config.type.ByteSize;
import io.sluice.config.type.TableName;
import java.time.Duration;

/**
 * The treatment of requests with an Idempotency-Key: {@code idempotency}.
 *
 * @param table the table of keys and responses, in the query's database
 * @param ttl the time for which they are kept
 * @param required whether a request without a key is rejected
 * @param maxAnswer the largest body of a response
 */
public record IdempotencyConfig(
        TableName table,
        @Range(min = 1_000, max = 365L * Range.DAY) Duration ttl,
        boolean required,
        @Range(max = 16 << 20) ByteSize maxAnswer) {
}
