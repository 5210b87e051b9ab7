package io.sluice.config;

import io.sluice.config.topic.BusConfig;
import io.sluice.config.topic.TopicsConfig;
import java.util.Map;

/**
 * The whole configuration, under the key {@code sluice}. Every record below it is immutable and complete: all
 * values, and the references between them, have been checked.
 *
 * @param routes by their names, in the order of the file
 */
public record GatewayConfig(
        ServerConfig server,
        Http2Config http2,
        TlsConfig tls,
        AdminConfig admin,
        OffloadConfig offload,
        Map<String, DatabaseConfig> databases,
        Map<String, BusConfig> buses,
        Map<String, TopicsConfig> topics,
        Map<String, UpstreamConfig> upstreams,
        Map<String, TokenConfig> tokens,
        Map<String, RouteConfig> routes,
        LifecycleConfig lifecycle,
        LogConfig log) {
}
