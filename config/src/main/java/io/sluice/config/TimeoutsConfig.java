package io.sluice.config;

import io.sluice.config.key.Range;
import io.sluice.config.type.ByteSize;
import java.time.Duration;

/**
 * Timeouts for clients: {@code sluice.server.timeouts}.
 *
 * @param firstHead the time from the accept of a connection to the end of its first request head
 * @param head the time from the first byte of a later head to its end
 * @param idle the time without a request after which a kept-alive connection is closed
 * @param stall the period to which {@code minRate} applies
 * @param minRate the minimum pace of a client that sends or reads a body or the message of a WebSocket, in
 *     bytes per second on average over {@code stall}, for which a WebSocket has longer
 */
public record TimeoutsConfig(
        @Range(min = 100, max = Range.HOUR) Duration firstHead,
        @Range(min = 100, max = Range.HOUR) Duration head,
        @Range(min = 100, max = 24 * Range.HOUR) Duration idle,
        @Range(min = 100, max = Range.HOUR) Duration stall,
        @Range(max = Range.MIB) ByteSize minRate) {
}
