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

/**
 * Finds the route for a path: a trie of segments, built once. A literal goes before a capture, that
 * before a rest; a branch that leads nowhere is walked back.
 */
public final class Router {
    /** A hash map: one that cannot be changed divides to find a place. */
    private static final Map<String, Method> METHODS = Arrays.stream(Method.values())
            .collect(Collectors.toMap(Method::name, Function.identity(), (one, _) -> one, HashMap::new));

    private final Node root = new Node();
    /** By paths that hold no captures: a shortcut to where the trie would lead. */
    private final Map<String, Node> literals = new HashMap<>();

    /** Builds the trie. No two routes may have one shape and method. */
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
     * Finds the route for a method and a path that begins with a slash and is normalised.
     *
     * @return a match without a route where none has this path, or none of them this method
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
        end = search.from(root, 1, 0);
        return end != null ? new RouteMatch(end.route, path, end.captures, search.bounds, null, null)
                : new RouteMatch(null, path, List.of(), null, search.allowed,
                        other -> find(other, path).cors());
    }

    /**
     * Where a walk may end.
     *
     * @param captures the names of those on the way to it
     * @param match of every path that leads here, if there are none
     */
    private record End(Route route, List<String> captures, RouteMatch match) {
        End(Route route, List<String> captures) {
            this(route, captures, new RouteMatch(route, "", List.of(), null, null, null));
        }
    }

    /** One walk through the trie. */
    private static final class Search {
        private final Method method;
        private final String path;
        /** Begin and end of each capture. */
        private int[] bounds;
        private EnumSet<Method> allowed;

        Search(Method method, String path) {
            this.method = method;
            this.path = path;
        }

        private End from(Node node, int at, int captures) {
            if (at >= path.length()) {
                End end = at == path.length() && path.length() > 1 ? null : take(node);
                return end != null ? end : rest(node, at, captures);
            }
            int slash = path.indexOf('/', at);
            int to = slash < 0 ? path.length() : slash;
            // Behind the last segment stands nothing, not even an empty one.
            int next = slash < 0 ? path.length() + 1 : to + 1;
            Node literal = node.literal(path, at, to);
            End end = literal == null ? null : from(literal, next, captures);
            if (end == null && node.capture != null && to > at) {
                mark(captures, at, to);
                end = from(node.capture, next, captures + 1);
            }
            return end != null ? end : rest(node, at, captures);
        }

        private End rest(Node node, int at, int captures) {
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

        private End take(Node node) {
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

    /** A place in the trie. */
    private static final class Node {
        private final Map<String, Node> literals = new HashMap<>();
        private Node capture;
        private Node rest;
        /** By the method's ordinal; null where no route ends. */
        private End[] ends;

        private Node child(PathTemplate.Segment segment) {
            return switch (segment) {
                case Literal(String text) -> literals.computeIfAbsent(text, _ -> new Node());
                case Capture _ -> capture = capture == null ? new Node() : capture;
                case Rest _ -> rest = rest == null ? new Node() : rest;
            };
        }

        /** Copies the segment, for some 10 ns and 50 bytes; paths without captures do not come here. */
        private Node literal(String path, int from, int to) {
            return literals.isEmpty() ? null : literals.get(path.substring(from, to));
        }

        /** Of a method, which may be null. */
        private End end(Method method) {
            return method == null || ends == null ? null : ends[method.ordinal()];
        }

        private void put(Method method, End end) {
            if (ends == null) {
                ends = new End[Method.values().length];
            }
            ends[method.ordinal()] = end;
        }

        private void putIfAbsent(Method method, End end) {
            if (ends[method.ordinal()] == null) {
                ends[method.ordinal()] = end;
            }
        }
    }
}
