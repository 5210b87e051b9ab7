package io.sluice.gateway.routing;

import io.netty.handler.codec.http.HttpMethod;
import io.sluice.config.type.Method;
import io.sluice.config.type.PathTemplate;
import io.sluice.config.type.PathTemplate.Capture;
import io.sluice.config.type.PathTemplate.Literal;
import io.sluice.config.type.PathTemplate.Rest;
import io.sluice.gateway.filter.Cors;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the route for a path in a trie of segments, which is built once. A literal precedes a capture, which
 * precedes a rest; the search backtracks from a branch without a match.
 */
final class Router {
    /** The index of a method that no route may serve. */
    private static final int NONE = 0;
    /** The index of methods that no route names. */
    private static final int ANY = 1;
    /**
     * A method that no route may serve: an endpoint would answer with the fields that it has got, such as
     * credentials that the gateway has set, or cookies that no script may read.
     */
    private static final Method TRACE = new Method("TRACE");
    private static final List<Method> COMMON =
            Stream.concat(Stream.of(TRACE, Method.ANY), Method.STANDARD.stream()).toList();
    /** Indexes of these by their names. A HashMap, as a lookup in an immutable map takes a division. */
    private static final Map<String, Integer> INDEXES = indexes(COMMON);

    /** The common ones, and those that routes name, in the order of their indexes. */
    private final List<Method> methods;
    private final Map<String, Integer> indexes;
    private final Node root = new Node();
    /** Nodes by the paths that have no captures: a shortcut past the trie. */
    private final Map<String, Node> literals = new HashMap<>();

    /** Builds the trie. No two routes may have paths of the same shape and a common method. */
    Router(Collection<Route> routes) {
        methods = Stream.concat(COMMON.stream(), routes.stream().flatMap(route -> route.methods().stream()))
                .distinct().toList();
        indexes = indexes(methods);
        List<Node> nodes = routes.stream().map(this::add).toList();
        nodes.forEach(Node::spreadAny);
    }

    private static Map<String, Integer> indexes(List<Method> methods) {
        var indexes = new HashMap<String, Integer>();
        for (int i = 0; i < methods.size(); i++) {
            if (i != ANY) {
                indexes.put(methods.get(i).name(), i);
            }
        }
        return indexes;
    }

    private Node add(Route route) {
        Node node = root;
        for (PathTemplate.Segment segment : route.path().segments()) {
            node = node.child(segment);
        }
        var end = new End(route, route.path().segments().stream()
                .filter(segment -> !(segment instanceof Literal))
                .map(segment -> segment instanceof Capture(String name) ? name : Rest.NAME).toList());
        if (node.ends == null) {
            node.ends = new End[methods.size()];
        }
        for (Method method : route.methods()) {
            node.ends[methods.indexOf(method)] = end;
        }
        int head = methods.indexOf(Method.HEAD);
        if (route.methods().contains(Method.GET) && node.ends[head] == null) {
            node.ends[head] = end;
        }
        if (end.captures.isEmpty()) {
            literals.put(route.path().toString(), node);
        }
        return node;
    }

    /**
     * Finds the route for a method and a normalised path that begins with a slash.
     *
     * @return a match without a route if no route has this path and method
     */
    RouteMatch find(HttpMethod method, String path) {
        return find(method.name(), path);
    }

    /**
     * Finds what responds to a preflight: a route that names OPTIONS, else the rules of the route of the
     * requested method, rather than a route for any method.
     */
    RouteMatch ofPreflight(String requested, String path) {
        RouteMatch match = find(HttpMethod.OPTIONS, path);
        boolean named = match.route() != null && match.route().methods().contains(Method.OPTIONS);
        Route route = find(requested, path).route();
        return named || route == null || route == match.route() || route.cors() == Cors.NONE ? match
                : optionsOf(path);
    }

    /** Returns what is known of a path: a match without a route. */
    RouteMatch optionsOf(String path) {
        return find(NONE, path);
    }

    private RouteMatch find(String name, String path) {
        Integer common = INDEXES.get(name);
        return find(common != null ? common : indexes.getOrDefault(name, ANY), path);
    }

    private RouteMatch find(int method, String path) {
        Node literal = literals.get(path);
        End end = literal == null ? null : literal.end(method);
        if (end != null) {
            return end.match;
        }
        if (path.equals(UnroutedHandler.ASTERISK)) {
            Set<Method> all = new TreeSet<>(methods.subList(ANY + 1, methods.size()));
            return new RouteMatch(path, new UnroutedHandler(all, _ -> Cors.NONE));
        }
        var search = new Search(method, path);
        end = search.from(root, 1, 0);
        if (end != null) {
            return new RouteMatch(end.route, path, end.captures, search.bounds);
        }
        return new RouteMatch(path, new UnroutedHandler(search.allowed, other -> find(other, path).cors()));
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
    private final class Search {
        private final int method;
        private final String path;
        /** The start and end index of each capture. */
        private int @Nullable [] bounds;
        private @Nullable Set<Method> allowed;

        Search(int method, String path) {
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
                allowed = allowed == null ? new TreeSet<>(Set.of(Method.OPTIONS)) : allowed;
                for (int i = ANY + 1; i < node.ends.length; i++) {
                    if (node.ends[i] != null) {
                        allowed.add(methods.get(i));
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
        /** Routes by the index of their method; null if no route ends here. */
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

        /** Returns the route of a method. */
        private @Nullable End end(int method) {
            return ends == null ? null : ends[method];
        }

        /** Makes the route for any method that of all which have no other. */
        private void spreadAny() {
            for (int i = ANY + 1; ends != null && i < ends.length; i++) {
                ends[i] = ends[i] == null ? ends[ANY] : ends[i];
            }
        }
    }
}
