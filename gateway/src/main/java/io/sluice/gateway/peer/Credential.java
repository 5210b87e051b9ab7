package io.sluice.gateway.peer;

import io.netty.util.AttributeKey;
import io.sluice.config.type.Sha256;
import io.sluice.handlers.Exchange;
import org.jspecify.annotations.Nullable;

/**
 * The caller of a request and the hash of its token. Tunnels and streams keep the credential of the request
 * that has opened them, so that a reload can drain those whose token was revoked.
 *
 * @param caller the caller's name; null without a known one
 * @param token the hash of its token; null without one, also if a plug-in has named the caller
 */
public record Credential(@Nullable String caller, @Nullable Sha256 token) {
    /** The credential of a request without a known caller. */
    public static final Credential NONE = new Credential(null, null);
    private static final AttributeKey<Sha256> TOKEN = AttributeKey.valueOf(Credential.class, "TOKEN");

    /** Returns the credential of a request, after access control. */
    public static Credential of(Exchange exchange) {
        String caller = exchange.caller();
        Sha256 token = exchange.hasAttr(TOKEN) ? exchange.attr(TOKEN).get() : null;
        return caller == null ? NONE : new Credential(caller, token);
    }

    /** Makes this the credential of a request. */
    public void passTo(Exchange exchange) {
        if (caller != null) {
            exchange.attr(Exchange.CALLER).set(caller);
        }
        if (token != null) {
            exchange.attr(TOKEN).set(token);
        }
    }

    /** Makes a request one without a known caller. */
    public static void removeFrom(Exchange exchange) {
        exchange.attr(Exchange.CALLER).set(null);
        exchange.attr(TOKEN).set(null);
    }
}
