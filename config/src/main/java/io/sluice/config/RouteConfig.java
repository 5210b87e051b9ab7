package io.sluice.config;

import io.sluice.config.type.ByteSize;
import io.sluice.config.type.Method;
import io.sluice.config.type.PathTemplate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One route: {@code sluice.routes.<name>}.
 *
 * @param methods a route for GET answers HEAD, and any route OPTIONS, without naming them
 * @param deadline from the request's head to the last byte of its answer; without it there is no limit
 * @param firstByte until the answer begins, without the time in which its client has to send its body
 * @param idle without progress of an answer that has begun, nor the time in which its client has to read
 * @param maxBody of the request
 * @param tokens that are let in; without it everybody is
 * @param compression without it answers are sent as they are
 * @param cors without it pages of other origins may not read answers
 * @param filters from other jars, in the order of their names, which are their keys
 * @param handler what the route does; its keys stand beside the others
 */
public record RouteConfig(
        PathTemplate path,
        Set<Method> methods,
        @Range(min = 1, max = Range.DAY) Optional<Duration> deadline,
        @Range(min = 1, max = Range.DAY) Optional<Duration> firstByte,
        @Range(min = 1, max = Range.DAY) Optional<Duration> idle,
        @Range(max = 1024 * Range.GIB) ByteSize maxBody,
        @Ref("tokens") Optional<Set<String>> tokens,
        Optional<CompressionConfig> compression,
        Optional<CorsConfig> cors,
        List<FilterConfig> filters,
        HandlerConfig handler) {
}
