package io.sluice.handlers.http;

import io.sluice.config.type.ParameterType;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;

/** A whole number in the query string, with bounds. */
record NumberParameter(String name, long defaultValue, long max) {

    /** Reads it; 400 where it is no number in 0..max. */
    long of(Exchange exchange) {
        String text = exchange.queryParameter(name);
        if (text == null) {
            return defaultValue;
        }
        try {
            long value = (Long) ParameterType.LONG.parse(text);
            if (value >= 0 && value <= max) {
                return value;
            }
        } catch (IllegalArgumentException e) {
            // Said below, with what was expected.
        }
        throw HttpException.badParameter(name, text, "0.." + max);
    }
}
