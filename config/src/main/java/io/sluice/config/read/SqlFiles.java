package io.sluice.config.read;

import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigOriginFactory;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import io.sluice.config.problem.ConfigProblems;
import io.sluice.config.type.FileState;
import io.sluice.config.type.SqlStatement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Replaces {@code sql-file} of routes: the key {@code sql} gets the statement as its value, and the line in
 * the SQL file as its origin. An instance is for one load, on one thread.
 */
final class SqlFiles {
    private static final String SQL = "sql";
    private static final String SQL_FILE = "sql-file";
    /** The character between a file and the name of a statement: {@code orders.sql#find-order}. */
    private static final char MARK = '#';

    private final Path main;
    private final Map<Path, FileState> states;
    private final ConfigProblems problems;
    /** The statements by file and name; those of a file with mistakes are empty. */
    private final Map<Path, Map<String, ConfigValue>> files = new LinkedHashMap<>();

    /**
     * Creates a reader of SQL files.
     *
     * @param main the user's file: the names of SQL files that are not from a file are relative to it
     * @param states gets the SQL files, also missing ones, with their states before
     */
    SqlFiles(Path main, Map<Path, FileState> states, ConfigProblems problems) {
        this.main = main;
        this.states = states;
        this.problems = problems;
    }

    /** Returns the configuration with the statements of its SQL files. Blocks. */
    ConfigObject addTo(ConfigObject root) {
        ConfigObject routes = Hocon.object(root.get("routes"));
        ConfigObject with = routes;
        for (Map.Entry<String, ConfigValue> entry : routes.entrySet()) {
            ConfigObject route = Hocon.object(entry.getValue());
            if (Hocon.text(route.get("handler")).equals("query")) {
                String path = ConfigProblems.child(ConfigLoader.ROOT + ".routes", entry.getKey());
                ConfigObject read = withSteps(withSql(route, path), path + ".write");
                with = read == route ? with : with.withValue(entry.getKey(), read);
            }
        }
        return with == routes ? root : root.withValue("routes", with);
    }

    /** Returns an object with the statement that its {@code sql-file} names, if it has one. */
    private ConfigObject withSql(ConfigObject object, String path) {
        ConfigValue reference = object.get(SQL_FILE);
        return reference == null || !Hocon.isSet(reference) ? object
                : object.withValue(SQL, sql(object, reference, path + '.' + SQL_FILE));
    }

    private ConfigObject withSteps(ConfigObject route, String path) {
        ConfigObject write = Hocon.object(route.get("write"));
        if (!(write.get("steps") instanceof ConfigList steps)) {
            return route;
        }
        var read = new ArrayList<ConfigValue>();
        for (ConfigValue step : steps) {
            read.add(step instanceof ConfigObject object
                    ? withSql(object, path + ".steps." + read.size()) : step);
        }
        return route.withValue("write", write.withValue("steps",
                ConfigValueFactory.fromIterable(read).withOrigin(steps.origin())));
    }

    private ConfigValue sql(ConfigObject route, ConfigValue reference, String path) {
        if (Hocon.isSet(route.get(SQL))) {
            return wrong(reference, path, "either sql or sql-file");
        }
        String text = Hocon.text(reference);
        int mark = text.lastIndexOf(MARK);
        String name = mark < 0 ? "" : text.substring(mark + 1);
        String file = mark < 0 ? text : text.substring(0, mark);
        Path resolved = resolved(reference.origin(), file);
        Map<String, ConfigValue> statements = resolved == null ? null
                : files.computeIfAbsent(resolved, this::statements);
        if (statements == null) {
            return wrong(reference, path,
                    "a readable file in UTF-8, optionally with #name of a statement");
        }
        if (statements.isEmpty()) {
            return reported(reference);
        }
        ConfigValue found = name.isEmpty() && statements.size() == 1
                ? statements.values().iterator().next() : statements.get(name);
        return found != null ? found : wrong(reference, path, statements.containsKey("")
                ? file + ", as its statement has no name"
                : "\"" + file + MARK + "…\" in quotes, with "
                        + ConfigProblems.oneOf(name, statements.keySet()));
    }

    /** Returns a name in the folder of the file in which it is written. */
    private @Nullable Path resolved(ConfigOrigin origin, String name) {
        Path beside = origin.filename() == null ? main : Path.of(origin.filename());
        try {
            Path path = beside.resolveSibling(name);
            return name.isEmpty() || Files.isDirectory(path) ? null : path;
        } catch (InvalidPathException e) {
            return null; // such a file cannot exist
        }
    }

    private @Nullable Map<String, ConfigValue> statements(Path file) {
        List<SqlStatement> read;
        states.computeIfAbsent(file, FileState::of);
        try {
            read = SqlStatement.split(Files.readString(file));
        } catch (IOException e) {
            return null;
        }
        var statements = new LinkedHashMap<String, ConfigValue>();
        var lines = new LinkedHashMap<String, Integer>();
        boolean correct = true;
        for (SqlStatement statement : read) {
            Integer other = lines.putIfAbsent(statement.name(), statement.line());
            String mistake = mistake(statement, read.size(), other);
            correct &= mistake == null;
            if (mistake != null) {
                problems.add(file.toString(), statement.line(), mistake);
            }
            statements.put(statement.name(), ConfigValueFactory.fromAnyRef(statement.text()).withOrigin(
                    ConfigOriginFactory.newFile(file.toString()).withLineNumber(statement.first())));
        }
        return correct ? statements : Map.of();
    }

    private static @Nullable String mistake(SqlStatement statement, int count, @Nullable Integer other) {
        if (statement.name().isEmpty()) {
            return count == 1 ? null : "SQL without a name (expected: -- name: of-the-statement before it)";
        }
        if (!statement.hasValidName()) {
            return "-- name: %s (expected: letters, digits, - and _)".formatted(statement.name());
        }
        return other == null ? null
                : "-- name: %s (expected: a name of its own; line %d has this one)"
                        .formatted(statement.name(), other);
    }

    private ConfigValue wrong(ConfigValue reference, String path, String expected) {
        problems.wrong(reference, path, expected);
        return reported(reference);
    }

    /** Returns a value for {@code sql} that is invalid, but for which no further mistake is reported. */
    private ConfigValue reported(ConfigValue reference) {
        ConfigValue none = ConfigValueFactory.fromAnyRef("").withOrigin(reference.origin());
        problems.ignore(none);
        return none;
    }
}
