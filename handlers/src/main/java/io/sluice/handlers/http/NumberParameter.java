package io.sluice.handlers.http;

import io.sluice.config.type.ScalarType;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;

/** A query parameter that is an integer in 0..max. */
record NumberParameter(String name, long defaultValue, long max) {

    /** Returns the parameter of a request; 400 if it is no number in 0..max. */
    long of(Exchange exchange) {
        String text = exchange.queryParameter(name);
        if (text == null) {
            return defaultValue;
        }
        try {
            long value = (Long) ScalarType.LONG.parse(text);
            if (value >= 0 && value <= max) {
                return value;
            }
        } catch (IllegalArgumentException e) {
            // Reported below.
        }
        throw HttpException.badParameter(name, text, "0.." + max);
    }
}
