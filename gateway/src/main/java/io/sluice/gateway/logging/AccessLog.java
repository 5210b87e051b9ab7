package io.sluice.gateway.logging;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.sluice.config.LogConfig;
import io.sluice.gateway.exchange.RequestObserver;
import io.sluice.gateway.exchange.ServedRequest;
import io.sluice.handlers.json.Json;
import io.sluice.handlers.proxy.ProxyTimings;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JsonGenerator;

/**
 * Writes the access log: one line of JSON per request, or only for those that were slow or failed. The query
 * string is never logged. Values from clients are cut, which bounds the memory of lines that wait for a slow
 * output.
 */
public final class AccessLog implements RequestObserver {
    private static final Logger log = LoggerFactory.getLogger(LogSetup.ACCESS);

    private static final int MAX_METHOD = 32;
    private static final int MAX_PATH = 512;
    private static final int MAX_USER_AGENT = 256;
    /** The end of a value that was cut. In ASCII, as any other character would double the line's memory. */
    private static final String ELLIPSIS = "...";

    private final Supplier<LogConfig> current;

    /** Creates an access log that follows the current configuration. */
    public AccessLog(Supplier<LogConfig> current) {
        this.current = current;
    }

    @Override
    public void ended(ServedRequest request) {
        LogConfig config = current.get();
        boolean wanted = switch (config.access()) {
            case OFF -> false;
            case SLOW_AND_FAILED -> request.status() >= 500
                    || request.elapsedNanos() >= config.slow().toNanos();
            case ALL -> true;
        };
        if (wanted) {
            log.info(line(request));
        }
    }

    private static String line(ServedRequest request) {
        var out = new ByteArrayOutputStream(256);
        try (JsonGenerator json = Json.generator(out)) {
            json.writeStartObject();
            json.writeStringProperty("time", Instant.now().toString());
            json.writeStringProperty("requestId", request.requestId());
            json.writeStringProperty("client", request.clientAddress().getAddress().getHostAddress());
            json.writeStringProperty("method", cut(request.request().method().name(), MAX_METHOD));
            json.writeStringProperty("path", cut(request.path(), MAX_PATH));
            json.writeStringProperty("protocol", request.request().protocolVersion().text());
            json.writeStringProperty("route", request.uri());
            json.writeNumberProperty("status", request.status());
            json.writeNumberProperty("bytes", request.bytesSent());
            json.writeNumberProperty("durationMs", millis(request.elapsedNanos()));
            ProxyTimings proxied = ProxyTimings.of(request);
            if (proxied != null) {
                upstream(json, proxied);
            }
            String userAgent = request.headers().get(HttpHeaderNames.USER_AGENT);
            json.writeStringProperty("userAgent", userAgent == null ? null : cut(userAgent, MAX_USER_AGENT));
            json.writeEndObject();
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    /** Returns a text of at most this length, without half of a surrogate pair at its end. */
    private static String cut(String text, int max) {
        if (text.length() <= max) {
            return text;
        }
        int end = max - ELLIPSIS.length();
        return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end) + ELLIPSIS;
    }

    /** Adds the upstream's members; those of stages that the request has not reached are left out. */
    private static void upstream(JsonGenerator json, ProxyTimings request) {
        json.writeStringProperty("upstream", request.upstream());
        if (request.endpoint() != null) {
            json.writeStringProperty("endpoint", request.endpoint().toString());
        }
        time(json, "queueMs", request.queueNanos());
        time(json, "connectMs", request.connectNanos());
        time(json, "firstByteMs", request.firstByteNanos());
        if (request.retries() > 0) {
            json.writeNumberProperty("retries", request.retries());
        }
    }

    private static void time(JsonGenerator json, String name, long nanos) {
        if (nanos != ProxyTimings.UNKNOWN) {
            json.writeNumberProperty(name, millis(nanos));
        }
    }

    /** Returns milliseconds with two digits. */
    private static double millis(long nanos) {
        return Math.floorDiv(nanos, 10_000) / 100.0;
    }
}
