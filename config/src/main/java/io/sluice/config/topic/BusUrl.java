package io.sluice.config.topic;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of a bus: {@code redis://cache:6379/0}, {@code rediss://} with TLS, or
 * {@code redis-sentinel://a:26379,b:26379/0#master} and {@code rediss-sentinel://} with the servers to ask
 * for the master of that name.
 *
 * @param secure whether connections use TLS
 * @param servers one, or some of which any will do
 * @param database the number of the database
 * @param master the name of the master that sentinels know; empty without sentinels
 */
public record BusUrl(boolean secure, List<Server> servers, int database, Optional<String> master) {
    public static final String EXPECTED = "redis://host:6379, rediss:// for TLS, or "
            + "redis-sentinel://host:26379,host2:26379#master; no user or password";

    private static final int REDIS = 6379;
    private static final int SENTINEL = 26_379;
    private static final Pattern URL =
            Pattern.compile("redis(s)?(-sentinel)?://([^/#@?]+)(?:/([0-9]{0,4}))?(?:#([^#]+))?");
    private static final Pattern SERVER =
            Pattern.compile("(?:\\[([0-9A-Fa-f:.]+)]|([A-Za-z0-9._-]+))(?::([0-9]{1,5}))?");

    /**
     * A server.
     *
     * @param host an IP address, IPv6 without brackets, or a name
     * @param port 1..65535
     */
    public record Server(String host, int port) {
        @Override
        public String toString() {
            return (host.indexOf(':') < 0 ? host : '[' + host + ']') + ':' + port;
        }
    }

    /**
     * Reads an address.
     *
     * @throws IllegalArgumentException with what was expected
     */
    public static BusUrl parse(String text) {
        Matcher url = URL.matcher(text);
        if (!url.matches() || (url.group(2) == null) != (url.group(5) == null)) {
            throw new IllegalArgumentException(EXPECTED);
        }
        var servers = new ArrayList<Server>();
        for (String server : url.group(3).split(",", -1)) {
            servers.add(server(server, url.group(2) == null ? REDIS : SENTINEL));
        }
        String database = url.group(4);
        return new BusUrl(url.group(1) != null, List.copyOf(servers),
                database == null || database.isEmpty() ? 0 : Integer.parseInt(database),
                Optional.ofNullable(url.group(5)));
    }

    private static Server server(String text, int standard) {
        Matcher server = SERVER.matcher(text);
        int port = !server.matches() ? 0
                : server.group(3) == null ? standard : Integer.parseInt(server.group(3));
        if (port == 0 || port > 65_535) {
            throw new IllegalArgumentException(EXPECTED);
        }
        return new Server(server.group(1) == null ? server.group(2) : server.group(1), port);
    }

    @Override
    public String toString() {
        return "redis" + (secure ? "s" : "") + (master.isPresent() ? "-sentinel" : "") + "://"
                + String.join(",", servers.stream().map(Server::toString).toList())
                + (database == 0 ? "" : "/" + database) + master.map(name -> '#' + name).orElse("");
    }
}
