package io.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.offload.jdbc.InitScript;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** docs/tutorial.md, its files, and a database for them, which ends with it. */
final class Tutorial implements AutoCloseable {
    /** The folder of the files. */
    static final Path FOLDER = Path.of("..", "docs", "tutorial").toAbsolutePath().normalize();
    private static final String DATABASE = "tutorial_shop";
    /** A piece of a file: lines that are indented, behind a line that names the file at its end. */
    private static final Pattern PIECE = Pattern.compile("`([a-z]+\\.[a-z]+)`:\n\n((?:(?: {4}.*)?\n)+)");

    private final String page;
    private final String url;

    Tutorial() throws IOException, SQLException {
        page = Files.readString(FOLDER.resolveSibling("tutorial.md"));
        PostgresServer postgres = PostgresServer.get();
        url = postgres.url().replaceFirst("/[^/?]+(\\?|$)", '/' + DATABASE + "$1");
        execute(postgres.url(), "CREATE DATABASE " + DATABASE);
        execute(url, InitScript.read("sluice-idempotency.sql"));
        execute(url, InitScript.read("sluice-outbox.sql"));
        execute(url, Files.readString(FOLDER.resolve("schema.sql")));
    }

    private static void execute(String url, String sql) throws SQLException {
        PostgresServer postgres = PostgresServer.get();
        try (Connection connection = DriverManager.getConnection(url, postgres.user(), postgres.password());
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Returns HOCON of the tutorial's configuration in a folder, with this database. */
    String config(Path folder) {
        return "include file(\"%s\")\n".formatted(folder.resolve("shop.conf"))
                + "sluice.databases.shop { url = \"%s\", connection-timeout = 20s }\n".formatted(url);
    }

    /** Returns the text of a file as the page shows it. */
    String file(String name) {
        List<String> pieces = new ArrayList<>();
        Matcher piece = PIECE.matcher(page);
        while (piece.find()) {
            if (piece.group(1).equals(name)) {
                pieces.add(piece.group(2).replaceAll("(?m)^ {4}", "").strip() + '\n');
            }
        }
        return String.join("\n", pieces);
    }

    /** Asserts the status of a response, and that the page shows its body; a problem's in short. */
    void shows(HttpResponse<String> answer, int status) {
        String body = answer.body();
        assertThat(answer.statusCode()).as(body).isEqualTo(status);
        shows(status < 400 ? body : body.replaceFirst("\"type\":\"[^\"]*\",\"title\":\"[^\"]*\",", "")
                .replaceFirst(",\"instance\":\"[^\"]*\",\"requestId\":\"[^\"]*\"", ""));
    }

    /** Asserts that the page shows a text, wherever its lines are broken. */
    void shows(String text) {
        assertThat(page.replaceAll("\\s", "")).contains(text.replaceAll("\\s", ""));
    }

    @Override
    public void close() throws SQLException {
        String postgres = PostgresServer.get().url();
        execute(postgres, "DROP DATABASE " + DATABASE + " WITH (FORCE)");
        execute(postgres, "DROP ROLE shop");
    }
}
