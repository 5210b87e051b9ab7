package io.sluice.config;

import io.sluice.config.key.Range;
import io.sluice.config.type.ByteSize;
import io.sluice.config.type.OriginPattern;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * The settings of a route's WebSockets: {@code socket}, in routes whose kind begins with {@code ws-}.
 *
 * @param maxFrame the largest frame of a client
 * @param maxMessage the largest message of a client, inflated
 * @param compression whether permessage-deflate (RFC 7692) is negotiated with clients that offer it
 * @param compressFrom the smallest message that is sent compressed
 * @param pingInterval the time without data from a client after which it gets a ping
 * @param idleTimeout the time without data from a client, pongs included, after which it is disconnected
 * @param closeTimeout the time for a client to answer a close frame
 * @param origins the origins whose pages may open sockets
 * @param subprotocols the subprotocols that clients may select
 */
public record SocketConfig(
        @Range(min = 125, max = 16 * Range.MIB) ByteSize maxFrame,
        @Range(min = 125, max = 16 * Range.MIB) ByteSize maxMessage,
        boolean compression,
        @Range(max = Range.GIB) ByteSize compressFrom,
        @Range(min = 10, max = Range.DAY) Duration pingInterval,
        @Range(min = 10, max = Range.DAY) Duration idleTimeout,
        @Range(min = 10, max = Range.HOUR) Duration closeTimeout,
        Set<OriginPattern> origins,
        Optional<Set<String>> subprotocols) {
}
