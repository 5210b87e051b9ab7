package io.sluice.gateway.exchange;

import org.slf4j.MDC;

/** Tells whoever logs which request it is for, until it is closed. */
public final class LogContext implements AutoCloseable {
    private static final String REQUEST_ID = "requestId";
    private static final LogContext OF_ONE_REQUEST = new LogContext();

    private LogContext() {
    }

    /** Puts a request's id into the context of a thread that has been at no request, or at another. */
    static LogContext begin(String requestId) {
        MDC.put(REQUEST_ID, requestId);
        return OF_ONE_REQUEST;
    }

    /** Puts a request's id into the thread's logging context; null where it is there. */
    public static LogContext of(String requestId) {
        return requestId.equals(MDC.get(REQUEST_ID)) ? null : begin(requestId);
    }

    @Override
    public void close() {
        MDC.put(REQUEST_ID, null); // and not removed: the next request would need a new entry in the map
    }
}
