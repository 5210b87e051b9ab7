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
 * @param owner whose token it is: the caller, unless a plug-in has named another one; null without a token
 * @param token the hash of the token; null without one, also if a plug-in has named the caller without one
 */
public record Credential(@Nullable String caller, @Nullable String owner, @Nullable Sha256 token) {
    /** The credential of a request without a known caller. */
    public static final Credential NONE = new Credential(null, null, null);
    private static final AttributeKey<Credential> SHOWN = AttributeKey.valueOf(Credential.class, "SHOWN");

    /** Returns the credential of a token's owner. */
    public static Credential ofToken(String owner, Sha256 token) {
        return new Credential(owner, owner, token);
    }

    /** Returns the credential of a request, after access control. */
    public static Credential of(Exchange exchange) {
        String caller = exchange.caller();
        if (caller == null) {
            return NONE;
        }
        Credential shown = exchange.hasAttr(SHOWN) ? exchange.attr(SHOWN).get() : null;
        return shown == null ? new Credential(caller, null, null)
                : new Credential(caller, shown.owner, shown.token);
    }

    /** Makes this the credential of a request. */
    public void passTo(Exchange exchange) {
        if (caller != null) {
            exchange.attr(Exchange.CALLER).set(caller);
        }
        if (token != null) {
            exchange.attr(SHOWN).set(this);
        }
    }

    /** Makes a request one without a known caller. */
    public static void removeFrom(Exchange exchange) {
        exchange.attr(Exchange.CALLER).set(null);
        exchange.attr(SHOWN).set(null);
    }
}
