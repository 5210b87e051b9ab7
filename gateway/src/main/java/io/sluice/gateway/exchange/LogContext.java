package io.sluice.gateway.exchange;

import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** Adds the request id to the thread's log entries (MDC) until it is closed. */
public final class LogContext implements AutoCloseable {
    private static final String REQUEST_ID = "requestId";
    private static final LogContext OF_ONE_REQUEST = new LogContext();

    private LogContext() {
    }

    /** Sets the request id on a thread whose logging context has none or another one. */
    static LogContext begin(String requestId) {
        MDC.put(REQUEST_ID, requestId);
        return OF_ONE_REQUEST;
    }

    /** Sets the request id in the thread's logging context; returns null if it is set already. */
    public static @Nullable LogContext of(String requestId) {
        return requestId.equals(MDC.get(REQUEST_ID)) ? null : begin(requestId);
    }

    @Override
    public void close() {
        MDC.put(REQUEST_ID, null); // set to null, not removed: the next request would need a new map entry
    }
}
