package io.sluice.gateway.pipeline;

import org.slf4j.MDC;

/** Tells whoever logs which request it is for. */
public final class LogContext {
    private static final String REQUEST_ID = "requestId";

    private LogContext() {
    }

    /** Puts a request's id into the thread's logging context until closed; null where it is there. */
    public static MDC.MDCCloseable of(String requestId) {
        return requestId.equals(MDC.get(REQUEST_ID)) ? null : MDC.putCloseable(REQUEST_ID, requestId);
    }
}
