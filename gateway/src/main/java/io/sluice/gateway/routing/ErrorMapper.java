package io.sluice.gateway.routing;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AsciiString;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.Mistake;
import io.sluice.handlers.json.Json;
import io.sluice.offload.LocalShortage;
import io.sluice.offload.OffloadException;
import io.sluice.offload.OffloadException.DatabaseUnavailable;
import io.sluice.offload.OffloadException.DeadlineExceeded;
import io.sluice.offload.OffloadException.Refused;
import io.sluice.offload.spill.SpillException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import tools.jackson.core.JsonGenerator;

/** Maps an exception to a response in problem+json (RFC 9457). The cause is logged, never sent. */
public final class ErrorMapper {
    private static final Logger log = LoggerFactory.getLogger(ErrorMapper.class);
    private static final AsciiString PROBLEM = AsciiString.cached("application/problem+json");

    /** The type of a problem that its status alone describes (RFC 9457 section 4.2.1). */
    private static final String OF_STATUS = "about:blank";
    private static final String INVALID_REQUEST = "urn:sluice:problem:invalid-request";
    private static final String INSTANCE = "urn:sluice:request:";

    /** The challenge of a 401 that has none of its own (RFC 9110 section 15.5.2). */
    private static final AsciiString CHALLENGE = AsciiString.cached("Bearer realm=\"sluice\"");

    private static final Duration SOON = Duration.ofSeconds(1);

    private ErrorMapper() {
    }

    private static final Problem SHORTAGE = new Problem(HttpResponseStatus.SERVICE_UNAVAILABLE,
            "the gateway is short of resources; try again later", SOON);

    private record Problem(HttpResponseStatus status, String detail, @Nullable Duration retryAfter) {
        Problem(HttpResponseStatus status, String detail) {
            this(status, detail, null);
        }
    }

    /**
     * Returns the response to an exception, owned by the caller. Failures that the client has not caused are
     * logged.
     */
    public static FullHttpResponse answer(Throwable cause, String requestId, ByteBufAllocator alloc) {
        Problem problem = problem(cause);
        boolean foreseen = cause instanceof HttpException;
        if (problem.status() == HttpResponseStatus.INTERNAL_SERVER_ERROR && !foreseen) {
            log.error("a request failed", cause);
        } else if (problem == SHORTAGE) {
            log.warn("a request was answered with 503, as this process is short of descriptors, threads, "
                    + "ports or memory: {}",
                    cause.getCause() == null ? cause : cause + ": " + cause.getCause());
        } else if (cause.getCause() != null) {
            // One line without a stack trace: while a database is unavailable, every request fails here.
            boolean clientsFault = problem.status().codeClass() == HttpStatusClass.CLIENT_ERROR;
            log.atLevel(clientsFault ? Level.DEBUG : Level.WARN).log("a request was answered with {}: {}: {}",
                    problem.status(), cause.getMessage(), cause.getCause().toString());
        }
        List<Mistake> mistakes = cause instanceof HttpException http ? http.mistakes() : List.of();
        FullHttpResponse answer = answer(problem.status(), problem.detail(), mistakes, requestId, alloc);
        if (cause instanceof HttpException http) {
            answer.headers().add(http.headers());
        }
        if (problem.status().equals(HttpResponseStatus.UNAUTHORIZED)
                && !answer.headers().contains(HttpHeaderNames.WWW_AUTHENTICATE)) {
            answer.headers().set(HttpHeaderNames.WWW_AUTHENTICATE, CHALLENGE);
        }
        if (cause instanceof Error) { // the state of an HTTP/1 connection is unknown
            answer.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        }
        if (problem.retryAfter() != null) {
            long seconds = Math.max(1, problem.retryAfter().plusMillis(999).toSeconds());
            answer.headers().set(HttpHeaderNames.RETRY_AFTER, seconds);
        }
        return answer;
    }

    /** Returns the status for an exception. */
    public static HttpResponseStatus status(Throwable cause) {
        return problem(cause).status();
    }

    private static Problem problem(Throwable cause) {
        return switch (cause) {
            case HttpException http -> new Problem(http.status(), String.valueOf(http.getMessage()),
                    http.worthRetrying() ? SOON : null);
            case Throwable failure when LocalShortage.is(failure) -> SHORTAGE;
            case OffloadException undone -> problem(undone);
            case SpillException _ -> new Problem(HttpResponseStatus.REQUEST_TIMEOUT,
                    "the client reads too slowly");
            case CancellationException _ -> new Problem(HttpResponseStatus.SERVICE_UNAVAILABLE,
                    "cancelled");
            default -> new Problem(HttpResponseStatus.INTERNAL_SERVER_ERROR,
                    "internal error; search the log for the requestId");
        };
    }

    private static Problem problem(OffloadException undone) {
        return switch (undone) {
            case Refused refused -> new Problem(HttpResponseStatus.SERVICE_UNAVAILABLE,
                    "overloaded; try again later", refused.retryAfter());
            case DatabaseUnavailable gone -> new Problem(HttpResponseStatus.SERVICE_UNAVAILABLE,
                    "the database is not available", gone.retryAfter());
            case DeadlineExceeded _ -> new Problem(HttpResponseStatus.GATEWAY_TIMEOUT,
                    "the response was not ready within its time limit");
        };
    }

    /** Returns the response for a problem without an exception, owned by the caller. */
    public static FullHttpResponse answer(HttpResponseStatus status, String detail, String requestId,
                                          ByteBufAllocator alloc) {
        return answer(status, detail, List.of(), requestId, alloc);
    }

    private static FullHttpResponse answer(HttpResponseStatus status, String detail, List<Mistake> mistakes,
                                           String requestId, ByteBufAllocator alloc) {
        ByteBuf buffer = alloc.buffer(256);
        boolean invalid = !mistakes.isEmpty() && status.equals(HttpResponseStatus.BAD_REQUEST);
        try (JsonGenerator json = Json.generator(new ByteBufOutputStream(buffer))) {
            json.writeStartObject();
            json.writeStringProperty("type", invalid ? INVALID_REQUEST : OF_STATUS);
            json.writeStringProperty("title", status.reasonPhrase());
            json.writeNumberProperty("status", status.code());
            json.writeStringProperty("detail", detail);
            json.writeStringProperty("instance", INSTANCE + requestId);
            json.writeStringProperty("requestId", requestId);
            if (!mistakes.isEmpty()) {
                write(mistakes, json);
            }
            json.writeEndObject();
        }
        var answer = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, buffer);
        answer.headers().set(HttpHeaderNames.CONTENT_TYPE, PROBLEM);
        return answer;
    }

    private static void write(List<Mistake> mistakes, JsonGenerator json) {
        json.writeArrayPropertyStart("errors");
        for (Mistake mistake : mistakes) {
            json.writeStartObject();
            json.writeStringProperty(mistake.key(), mistake.at());
            json.writeStringProperty("detail", mistake.detail());
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
