package io.sluice.handlers.proxy;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.upstream.RequestStage;
import io.sluice.handlers.upstream.UpstreamException;
import io.sluice.offload.LocalShortage;
import io.sluice.offload.OffloadException;
import java.util.concurrent.TimeUnit;

/** Translates failures of upstreams to error responses, which name the stage and never the endpoint. */
final class UpstreamProblem {

    private UpstreamProblem() {
    }

    /** Returns the response to a request whose last attempt has failed. */
    static Exception of(UpstreamException failure) {
        if (LocalShortage.is(failure)) {
            return failure;
        }
        boolean tooLarge = failure.stage() == UpstreamException.Stage.TOO_LARGE;
        return new HttpException(tooLarge ? HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
                : HttpResponseStatus.BAD_GATEWAY, switch (failure.stage()) {
            case CONNECT -> "connect: the upstream cannot be reached";
            case REQUEST -> "request: the upstream closed the connection before the request was sent";
            case REFUSED -> "request: the upstream refused the request";
            case TOO_LARGE -> "request: the header fields are larger than the upstream allows";
            case RESPONSE -> "response: the upstream closed the connection before it responded";
            case TRUNCATED -> "response: the upstream closed the connection before its response was complete";
            case MALFORMED -> "response: the upstream's response is malformed";
        });
    }

    /** Returns the response to a request for which no endpoint is up. */
    static HttpException ofNoEndpoint() {
        return HttpException.tryAgain("connect: no endpoint of the upstream is up; try again later", null);
    }

    /** Returns the reason why a response ends whose permit has been taken back. */
    static HttpException ofReclaimed() {
        return HttpException.tryAgain("response: other clients wait for the upstream; try again later", null);
    }

    /** Returns the response to a request that got no permit. */
    static Throwable of(OffloadException reason) {
        return switch (reason) {
            case OffloadException.Refused refused -> new HttpException(HttpResponseStatus.SERVICE_UNAVAILABLE,
                    "queue: too many requests wait for the upstream; try again later")
                    .with(HttpHeaderNames.RETRY_AFTER, TimeUnit.MILLISECONDS.toSeconds(
                            Math.max(1000, refused.retryAfter().toMillis() + 999)));
            case OffloadException.DeadlineExceeded _ ->
                    new HttpException(HttpResponseStatus.GATEWAY_TIMEOUT, late(RequestStage.QUEUED));
            case OffloadException.DatabaseUnavailable _ -> reason;
        };
    }

    /** Returns the detail of the response to a request whose time has passed in a stage. */
    static String late(RequestStage stage) {
        return switch (stage) {
            case QUEUED -> "queue: the upstream had no capacity for the request in time";
            case CONNECTING -> "connect: the upstream could not be reached in time";
            case SENT -> "response: the upstream did not respond in time";
            case STREAMING -> "response: the upstream did not respond completely in time";
        };
    }
}
