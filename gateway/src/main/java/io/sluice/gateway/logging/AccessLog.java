package io.sluice.gateway.logging;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.sluice.config.LogConfig;
import io.sluice.gateway.pipeline.HttpExchange;
import io.sluice.gateway.pipeline.RequestListener;
import io.sluice.handlers.http.Json;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JsonGenerator;

/** Writes a JSON line for each request, or for those that were slow or failed. Never the query string. */
public final class AccessLog implements RequestListener {
    private static final Logger log = LoggerFactory.getLogger(LogSetup.ACCESS);

    private final LogConfig config;

    /** Writes what a configuration asks for. */
    public AccessLog(LogConfig config) {
        this.config = config;
    }

    @Override
    public void ended(HttpExchange exchange) {
        boolean wanted = switch (config.access()) {
            case OFF -> false;
            case SLOW_AND_FAILED -> exchange.status() >= 500
                    || exchange.elapsedNanos() >= config.slow().toNanos();
            case ALL -> true;
        };
        if (wanted) {
            log.info(line(exchange));
        }
    }

    private static String line(HttpExchange exchange) {
        var out = new ByteArrayOutputStream(256);
        try (JsonGenerator json = Json.generator(out)) {
            json.writeStartObject();
            json.writeStringProperty("time", Instant.now().toString());
            json.writeStringProperty("requestId", exchange.requestId());
            json.writeStringProperty("client", exchange.clientAddress().getAddress().getHostAddress());
            json.writeStringProperty("method", exchange.request().method().name());
            json.writeStringProperty("path", exchange.path());
            json.writeStringProperty("route", exchange.uri());
            json.writeNumberProperty("status", exchange.status());
            json.writeNumberProperty("bytes", exchange.bytesSent());
            json.writeNumberProperty("durationMs", exchange.elapsedNanos() / 10_000 / 100.0);
            json.writeStringProperty("userAgent", exchange.headers().get(HttpHeaderNames.USER_AGENT));
            json.writeEndObject();
        }
        return out.toString(StandardCharsets.UTF_8);
    }
}
