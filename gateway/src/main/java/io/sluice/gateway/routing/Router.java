package io.sluice.gateway.routing;

import io.netty.handler.codec.http.HttpMethod;
import io.sluice.config.type.Method;
import io.sluice.config.type.PathTemplate;
import io.sluice.config.type.PathTemplate.Capture;
import io.sluice.config.type.PathTemplate.Literal;
import io.sluice.config.type.PathTemplate.Rest;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the route for a path in a trie of segments, which is built once. A literal precedes a capture, which
 * precedes a rest; the search backtracks from a branch without a match.
 */
public final class Router {
    /** A HashMap, as a lookup in an immutable map takes a division. */
    private static final Map<String, Method> METHODS = Arrays.stream(Method.values())
            .collect(Collectors.toMap(Method::name, Function.identity(), (one, _) -> one, HashMap::new));

    private final Node root = new Node();
    /** Nodes by the paths that have no captures: a shortcut past the trie. */
    private final Map<String, Node> literals = new HashMap<>();

    /** Builds the trie. No two routes may have paths of the same shape and a common method. */
    public Router(Collection<Route> routes) {
        routes.forEach(this::add);
    }

    private void add(Route route) {
        Node node = root;
        for (PathTemplate.Segment segment : route.path().segments()) {
            node = node.child(segment);
        }
        var end = new End(route, route.path().segments().stream()
                .filter(segment -> !(segment instanceof Literal))
                .map(segment -> segment instanceof Capture(String name) ? name : Rest.NAME).toList());
        for (Method method : route.methods()) {
            node.put(method, end);
        }
        if (route.methods().contains(Method.GET)) {
            node.putIfAbsent(Method.HEAD, end);
        }
        if (end.captures.isEmpty()) {
            literals.put(route.path().toString(), node);
        }
    }

    /**
     * Finds the route for a method and a normalised path that begins with a slash.
     *
     * @return a match without a route if no route has this path and method
     */
    public RouteMatch find(HttpMethod method, String path) {
        return find(method.name(), path);
    }

    private RouteMatch find(String name, String path) {
        Method method = METHODS.get(name);
        Node literal = literals.get(path);
        End end = literal == null ? null : literal.end(method);
        if (end != null) {
            return end.match;
        }
        var search = new Search(method, path);
        end = path.equals(UnroutedHandler.ASTERISK) ? null : search.from(root, 1, 0);
        return end != null ? new RouteMatch(end.route, path, end.captures, search.bounds)
                : new RouteMatch(null, path, List.of(), null, search.allowed,
                        other -> find(other, path).cors());
    }

    /**
     * A route at the end of a path through the trie.
     *
     * @param captures the names of the captures on that path
     * @param match shared by all requests if the path has no captures
     */
    private record End(Route route, List<String> captures, RouteMatch match) {
        End(Route route, List<String> captures) {
            this(route, captures, new RouteMatch(route, "", List.of(), null));
        }
    }

    /** One search in the trie. */
    private static final class Search {
        private final @Nullable Method method;
        private final String path;
        /** The start and end index of each capture. */
        private int @Nullable [] bounds;
        private @Nullable EnumSet<Method> allowed;

        Search(@Nullable Method method, String path) {
            this.method = method;
            this.path = path;
        }

        private @Nullable End from(Node node, int at, int captures) {
            if (at >= path.length()) {
                End end = at == path.length() && path.length() > 1 ? null : take(node);
                return end != null ? end : rest(node, at, captures);
            }
            int slash = path.indexOf('/', at);
            int to = slash < 0 ? path.length() : slash;
            // No segment follows the last one, not even an empty one.
            int next = slash < 0 ? path.length() + 1 : to + 1;
            Node literal = node.literal(path, at, to);
            End end = literal == null ? null : from(literal, next, captures);
            if (end == null && node.capture != null && to > at) {
                mark(captures, at, to);
                end = from(node.capture, next, captures + 1);
            }
            return end != null ? end : rest(node, at, captures);
        }

        private @Nullable End rest(Node node, int at, int captures) {
            if (node.rest == null) {
                return null;
            }
            mark(captures, Math.min(at, path.length()), path.length());
            return take(node.rest);
        }

        private void mark(int capture, int from, int to) {
            if (bounds == null) {
                bounds = new int[4];
            } else if (bounds.length <= 2 * capture) {
                bounds = Arrays.copyOf(bounds, 2 * bounds.length);
            }
            bounds[2 * capture] = from;
            bounds[2 * capture + 1] = to;
        }

        private @Nullable End take(Node node) {
            End end = node.end(method);
            if (end == null && node.ends != null) {
                allowed = allowed == null ? EnumSet.of(Method.OPTIONS) : allowed;
                for (Method possible : Method.values()) {
                    if (node.ends[possible.ordinal()] != null) {
                        allowed.add(possible);
                    }
                }
            }
            return end;
        }
    }

    /** A node of the trie. */
    private static final class Node {
        private final Map<String, Node> literals = new HashMap<>();
        private @Nullable Node capture;
        private @Nullable Node rest;
        /** Routes by the method's ordinal; null if no route ends here. */
        private End @Nullable [] ends;

        private Node child(PathTemplate.Segment segment) {
            return switch (segment) {
                case Literal(String text) -> literals.computeIfAbsent(text, _ -> new Node());
                case Capture _ -> capture = capture == null ? new Node() : capture;
                case Rest _ -> rest = rest == null ? new Node() : rest;
            };
        }

        /**
         * Returns the child for a literal segment; null if absent. Copies the segment, for about 10 ns and 50
         * bytes; paths without captures take the shortcut instead.
         */
        private @Nullable Node literal(String path, int from, int to) {
            return literals.isEmpty() ? null : literals.get(path.substring(from, to));
        }

        /** Returns the route of a method; the method may be null. */
        private @Nullable End end(@Nullable Method method) {
            return method == null || ends == null ? null : ends[method.ordinal()];
        }

        private void put(Method method, End end) {
            if (ends == null) {
                ends = new End[Method.values().length];
            }
            ends[method.ordinal()] = end;
        }

        private void putIfAbsent(Method method, End end) {
            if (end(method) == null) {
                put(method, end);
            }
        }
    }
}
