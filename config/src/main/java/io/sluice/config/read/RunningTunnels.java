package io.sluice.config.read;

import com.typesafe.config.Config;
import io.sluice.config.GatewayConfig;
import io.sluice.config.RouteConfig;
import io.sluice.config.TokenConfig;
import io.sluice.config.type.Sha256;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The open tunnels of a route in a running gateway, WebSockets and endless responses among them.
 *
 * @param config the fingerprint of the {@link TunnelConfig} that they have
 * @param callers their numbers by callers
 */
public record RunningTunnels(String config, List<ByCaller> callers) {

    /**
     * The number of tunnels that one caller has opened with one token.
     *
     * @param caller the owner of the token; null without one
     * @param token the fingerprint of the token; null without one
     */
    public record ByCaller(@Nullable String caller, @Nullable String token, int open) {

        /**
         * Creates the number of tunnels that a caller has opened with a token.
         *
         * @param caller null without a token
         * @param token null without one
         */
        public static ByCaller of(@Nullable String caller, @Nullable Sha256 token, int open) {
            return new ByCaller(caller, token == null ? null : ConfigHash.ofToken(token), open);
        }

        private static ByCaller ofJson(Config json) {
            return new ByCaller(json.hasPath("caller") ? json.getString("caller") : null,
                    json.hasPath("token") ? json.getString("token") : null, json.getInt("open"));
        }

        private boolean staysOpen(RouteConfig route, Map<String, TokenConfig> tokens) {
            if (token != null) {
                TokenConfig now = tokens.get(caller);
                if (now == null || !ConfigHash.ofToken(now.sha256()).equals(token)) {
                    return false;
                }
            }
            return route.tokens().isEmpty() || caller != null && route.tokens().get().contains(caller);
        }
    }

    /** Creates the tunnels of a route with this configuration. */
    public RunningTunnels(TunnelConfig config, List<ByCaller> callers) {
        this(config.fingerprint(), callers);
    }

    static RunningTunnels ofJson(Config json) {
        return new RunningTunnels(json.getString("config"),
                json.getConfigList("callers").stream().map(ByCaller::ofJson).toList());
    }

    /** Returns a tree for JSON. */
    public Object toTree() {
        return Objects.requireNonNull(PlainValues.of(this));
    }

    /** Returns how many are open. */
    public int open() {
        return callers.stream().mapToInt(ByCaller::open).sum();
    }

    /**
     * Returns how many of them a reload would close.
     *
     * @param route the next configuration of their route; null if it has none
     */
    int closedBy(GatewayConfig next, @Nullable RouteConfig route) {
        if (route == null || !TunnelConfig.of(next, route).fingerprint().equals(config)) {
            return open();
        }
        return callers.stream().filter(one -> !one.staysOpen(route, next.tokens()))
                .mapToInt(ByCaller::open).sum();
    }
}
