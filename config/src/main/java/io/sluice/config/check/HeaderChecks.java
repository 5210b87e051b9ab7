package io.sluice.config.check;

import io.sluice.config.type.HeaderName;
import io.sluice.config.type.Secret;
import io.sluice.config.upstream.HeaderChanges;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Checks changes of headers: which names they may have, and which values (RFC 9110 section 5). */
final class HeaderChecks {
    /** Fields that are for one connection, or frame a message. */
    private static final Set<String> HOP_BY_HOP = Set.of("connection", "content-length", "expect",
            "http2-settings", "keep-alive", "proxy-authenticate", "proxy-authentication-info",
            "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade");
    /** Fields that the gateway sets in each response. */
    private static final Set<String> OWN = Set.of("date", "x-request-id");

    private HeaderChecks() {
    }

    static void checkRequest(HeaderChanges changes, Setting at) {
        check(changes, false, at);
    }

    static void checkResponse(HeaderChanges changes, Setting at) {
        check(changes, true, at);
    }

    private static void check(HeaderChanges changes, boolean response, Setting at) {
        var names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        changes.set().ifPresent(set -> set.forEach((name, value) -> {
            Setting here = at.at("set").at(name);
            checkName(name, response, here);
            if (!names.add(name)) {
                here.wrong(name, "each name once; upper and lower case are the same");
            }
            checkValue(value, here);
        }));
        changes.remove().ifPresent(remove ->
                remove.forEach(name -> checkName(name.text(), response, at.at("remove"))));
    }

    private static void checkName(String name, boolean response, Setting at) {
        String known = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "-"); // as servers may read it
        if (!HeaderName.isValid(name) || name.equals("*")) {
            at.wrong(HeaderText.printable(name), HeaderName.EXPECTED);
        } else if (known.equals("host")) {
            at.wrong(name, "another name; the Host of requests is the key host");
        } else if (HOP_BY_HOP.contains(known)) {
            at.wrong(name, "a name other than those of framing and of one connection");
        } else if (known.startsWith("sec-websocket-")) {
            at.wrong(name, "a name other than those of the WebSocket handshake");
        } else if (response && OWN.contains(known)) {
            at.wrong(name, "another name; the gateway sets this field itself");
        }
    }

    private static void checkValue(@Nullable Secret value, Setting at) {
        if (value != null && !HeaderText.isValue(value.text())) {
            at.wrongSecret(HeaderText.EXPECTED);
        }
    }
}
