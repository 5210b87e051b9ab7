package io.sluice.handlers.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.sluice.handlers.HttpException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Decodes the query of request targets. */
public final class TargetQuery {
    private static final int MAX_PARAMETERS = 1024;

    private TargetQuery() {
    }

    /**
     * Returns the parameters by their names. Only {@code &} separates them, as intermediaries may not treat
     * {@code ;} as a separator.
     *
     * @throws IllegalArgumentException for a malformed percent-encoding
     * @throws HttpException 400 for more than 1,024 parameters
     */
    public static Map<String, List<String>> parameters(String target) {
        // The decoder drops further parameters silently, so it gets one more than there may be.
        Map<String, List<String>> parameters = new QueryStringDecoder(
                target, StandardCharsets.UTF_8, true, MAX_PARAMETERS + 1, true).parameters();
        if (parameters.values().stream().mapToInt(List::size).sum() > MAX_PARAMETERS) {
            throw new HttpException(HttpResponseStatus.BAD_REQUEST,
                    "query (expected: at most " + MAX_PARAMETERS + " parameters)");
        }
        return parameters;
    }
}
