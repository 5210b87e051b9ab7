package io.sluice.config.read;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigIncludeContext;
import com.typesafe.config.ConfigIncluder;
import com.typesafe.config.ConfigIncluderClasspath;
import com.typesafe.config.ConfigIncluderFile;
import com.typesafe.config.ConfigIncluderURL;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseable;
import io.sluice.config.problem.ConfigProblems;
import io.sluice.config.problem.ValueText;
import io.sluice.config.type.FileState;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Makes a missing include an error. HOCON ignores a missing file, and a route whose tokens are in it would be
 * open. The prefix {@code optional:} allows a missing file. An instance is for one load, on one thread.
 */
final class RequiredIncludes implements ConfigIncluder, ConfigIncluderFile, ConfigIncluderURL,
        ConfigIncluderClasspath {
    private static final String OPTIONAL = "optional:";
    private static final String TIMEOUT_MILLIS = "10000";
    /** HOCON appends each of these to a name without an extension. */
    private static final List<String> EXTENSIONS = List.of(".conf", ".json", ".properties");

    static {
        // HOCON opens included URLs without timeouts: a silent server would end all reloading.
        for (String timeout : List.of("Connect", "Read")) {
            System.getProperties().putIfAbsent("sun.net.client.default" + timeout + "Timeout",
                    TIMEOUT_MILLIS);
        }
    }

    private final ConfigProblems problems;
    /** The stack of files or resources that are being read; the innermost is first. */
    private final Deque<String> sources = new ArrayDeque<>();
    private final Map<Path, FileState> files;
    /** The includer of Typesafe Config. */
    private ConfigIncluder includer;

    /**
     * Creates an includer for a load that begins with the given file or resource.
     *
     * @param files gets the included files, and missing ones that would be included, with their states before
     */
    RequiredIncludes(String source, Map<Path, FileState> files, ConfigProblems problems) {
        this.files = files;
        this.problems = problems;
        sources.push(source);
    }

    @Override
    public ConfigIncluder withFallback(ConfigIncluder fallback) {
        includer = includer == null ? fallback : includer;
        return this;
    }

    @Override
    public ConfigObject include(ConfigIncludeContext context, String name) {
        String plain = withoutOptional(name);
        note(plain);
        return include(context, name, file(context, plain), within -> includer.include(within, plain));
    }

    @Override
    public ConfigObject includeFile(ConfigIncludeContext context, File file) {
        var plain = new File(withoutOptional(file.getPath()));
        files.computeIfAbsent(plain.toPath(), FileState::of);
        return include(context, file.getPath(), plain.getPath(),
                within -> ((ConfigIncluderFile) includer).includeFile(within, plain));
    }

    @Override
    public ConfigObject includeResources(ConfigIncludeContext context, String name) {
        String plain = withoutOptional(name);
        return include(context, name, plain,
                within -> ((ConfigIncluderClasspath) includer).includeResources(within, plain));
    }

    @Override
    public ConfigObject includeURL(ConfigIncludeContext context, URL url) {
        return include(context, url.toString(), ValueText.masked(url.toString()),
                within -> ((ConfigIncluderURL) includer).includeURL(within, url));
    }

    private static String withoutOptional(String name) {
        return name.startsWith(OPTIONAL) ? name.substring(OPTIONAL.length()) : name;
    }

    /** Resolves a name in the including file; returns the name itself if there is no such file. */
    private static String file(ConfigIncludeContext context, String name) {
        return names(name).map(context::relativeTo).filter(Objects::nonNull)
                .map(ConfigParseable::origin)
                .filter(origin -> origin.filename() != null && Files.exists(Path.of(origin.filename())))
                .map(origin -> origin.filename()).findFirst().orElse(name);
    }

    private static Stream<String> names(String name) {
        return EXTENSIONS.stream().anyMatch(name::endsWith) ? Stream.of(name)
                : EXTENSIONS.stream().map(name::concat);
    }

    /** Adds the files of that name in the directory of the including file. */
    private void note(String name) {
        try {
            Path including = Path.of(sources.element());
            if (!name.contains("://") && Files.exists(including)) {
                names(name).map(including::resolveSibling)
                        .forEach(file -> files.computeIfAbsent(file, FileState::of));
            }
        } catch (InvalidPathException e) {
            // Such a file cannot exist.
        }
    }

    private ConfigObject include(ConfigIncludeContext context, String name, String source,
                                 Function<ConfigIncludeContext, ConfigObject> reading) {
        boolean optional = name.startsWith(OPTIONAL);
        sources.push(source);
        try {
            return reading.apply(
                    context.setParseOptions(context.parseOptions().setAllowMissing(optional)));
        } catch (ConfigException.IO | ConfigException.BugOrBroken e) { // BugOrBroken: from URLs
            sources.pop();
            report(name);
            sources.push(source);
            return ConfigFactory.empty().root();
        } finally {
            sources.pop();
        }
    }

    private void report(String name) {
        boolean address = name.contains("://");
        String shown = ValueText.masked(name);
        problems.add(sources.element(), line(name), "include \"%s\": %s".formatted(shown, address
                ? "cannot be loaded (expected: the address of a HOCON file)"
                : "no such file, or not readable (expected: a file; \"%s%s\" where it may be missing)"
                        .formatted(OPTIONAL, name)));
    }

    /**
     * Returns the line of the innermost file that includes the name; 0 if none has it as HOCON reads it, or
     * the file cannot be read again.
     */
    private int line(String name) {
        try {
            List<String> lines = Files.readAllLines(Path.of(sources.element()));
            return IntStream.range(0, lines.size()).filter(i -> includes(lines.get(i), name))
                    .map(i -> i + 1).findFirst().orElse(0);
        } catch (IOException | RuntimeException _) {
            return 0;
        }
    }

    private static boolean includes(String line, String name) {
        String text = line.strip();
        return !text.startsWith("#") && !text.startsWith("//") && text.contains("include")
                && text.contains('"' + name + '"');
    }
}
