package io.sluice.handlers.proxy;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.sluice.config.UpstreamConfig;
import io.sluice.config.UpstreamConfig.Balance;
import io.sluice.config.type.HashBy;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.upstream.Hash;
import java.util.Iterator;

/** Hashes the part of a request that decides about its endpoint. */
@FunctionalInterface
interface HashKey {
    /** The key of requests that any endpoint may serve. */
    long NONE = 0;

    /** Returns the hash; {@link #NONE} if the request has no such part. */
    long of(Exchange exchange);

    /** Returns the hash function of an upstream. */
    static HashKey of(UpstreamConfig config) {
        if (config.balance() != Balance.HASH) {
            return _ -> NONE;
        }
        HashBy by = config.hashBy();
        return switch (by.part()) {
            case HEADER -> exchange -> {
                String value = exchange.headers().get(by.name());
                return value == null || value.isEmpty() ? NONE : Hash.of(value);
            };
            case COOKIE -> exchange -> ofCookie(exchange, by.name());
            case ADDRESS -> exchange -> Hash.of(exchange.clientNetwork().bits());
        };
    }

    private static long ofCookie(Exchange exchange, String name) {
        Iterator<? extends CharSequence> fields =
                exchange.headers().valueCharSequenceIterator(HttpHeaderNames.COOKIE);
        long hash = NONE;
        while (hash == NONE && fields.hasNext()) {
            hash = ofPair(fields.next().toString(), name);
        }
        return hash;
    }

    /** Returns the hash of the value of {@code name=value} in a list with semicolons (RFC 6265 4.2.1). */
    private static long ofPair(String cookies, String name) {
        for (int start = 0; start < cookies.length();) {
            while (start < cookies.length() && cookies.charAt(start) == ' ') {
                start++;
            }
            int semicolon = cookies.indexOf(';', start);
            int end = semicolon < 0 ? cookies.length() : semicolon;
            int value = start + name.length() + 1;
            if (value < end && cookies.startsWith(name, start) && cookies.charAt(value - 1) == '=') {
                return Hash.of(cookies, value, end);
            }
            start = end + 1;
        }
        return NONE;
    }
}
