package io.sluice.config;

import io.sluice.config.key.Range;
import io.sluice.config.key.Ref;
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
 * @param methods the request methods; with GET the route serves HEAD, and every route serves OPTIONS. Only
 *     routes to upstreams name other than the standard ones
 * @param deadline the time from the request's head to the last byte of the response; absent: no limit
 * @param firstByte the time until the response begins, without the time in which the client has to send its
 *     body
 * @param idle the time without progress of a response that has begun, without the time in which the client
 *     has to send or to read
 * @param maxBody the largest body of a request
 * @param tokens the names of accepted tokens; absent: the route is open to all
 * @param compression absent: responses are sent uncompressed
 * @param cors absent: browsers do not let pages of other origins read responses
 * @param filters filters of plug-ins, sorted by their keys
 * @param handler the configuration of the handler, whose keys stand beside the others
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

    /** Returns whether this is a page of kind {@code openapi}, whose tokens protect the document only. */
    public boolean isOpenapiPage() {
        return handler instanceof HandlerConfig.Openapi && path.segments().contains(new PathTemplate.Rest());
    }
}
