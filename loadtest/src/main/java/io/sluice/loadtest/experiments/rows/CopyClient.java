package io.sluice.loadtest.experiments.rows;

import io.sluice.loadtest.experiments.process.ChildProcesses;
import io.sluice.loadtest.experiments.process.InstalledProgram;
import io.sluice.loadtest.experiments.server.RowDatabase;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Supplier;
import org.postgresql.PGConnection;

/** A client of PostgreSQL that runs one {@code COPY ... TO STDOUT} after the other. */
sealed interface CopyClient extends AutoCloseable {

    /** psql, if it is installed. */
    Optional<Path> PROGRAM = InstalledProgram.find("psql");

    /** The name of the client for tables. */
    static String name() {
        return PROGRAM.isPresent() ? "psql" : "pgjdbc's CopyManager";
    }

    /** Starts psql, or connects pgjdbc where psql is not installed. */
    static CopyClient start(RowDatabase database) throws IOException, SQLException {
        return PROGRAM.isPresent()
                ? Psql.start(PROGRAM.get(), database)
                : Pgjdbc.connect(database);
    }

    /** Writes the results of statements to a stream until the client is closed; blocks. */
    void run(Supplier<String> statements, OutputStream out) throws IOException, SQLException;

    @Override
    void close() throws SQLException;

    /** The program, whose output is piped to this process. */
    record Psql(Process process) implements CopyClient {

        static Psql start(Path program, RowDatabase database) throws IOException {
            var builder = new ProcessBuilder(program.toString(), "--no-psqlrc", "--quiet",
                    "--set=ON_ERROR_STOP=1", "--host=127.0.0.1", "--port=" + database.port(),
                    "--username=" + RowDatabase.USER, "postgres");
            return new Psql(ChildProcesses.start(builder.redirectError(Redirect.INHERIT)));
        }

        @Override
        public void run(Supplier<String> statements, OutputStream out) throws IOException {
            Thread.ofPlatform().name("psql-" + process.pid()).daemon().start(() -> feed(statements));
            process.getInputStream().transferTo(out);
            throw new IOException("psql has ended");
        }

        private void feed(Supplier<String> statements) {
            try (var in = process.getOutputStream()) {
                while (true) {
                    in.write((statements.get() + ";\n").getBytes(StandardCharsets.US_ASCII));
                    in.flush();
                }
            } catch (IOException _) {
                // psql has ended, as its reader finds, too
            }
        }

        @Override
        public void close() {
            process.destroyForcibly();
            ChildProcesses.ended(process);
        }
    }

    /** The driver in this process. */
    record Pgjdbc(Connection connection) implements CopyClient {

        static Pgjdbc connect(RowDatabase database) throws SQLException {
            return new Pgjdbc(DriverManager.getConnection(database.url(), RowDatabase.USER, ""));
        }

        @Override
        public void run(Supplier<String> statements, OutputStream out) throws IOException, SQLException {
            var copies = connection.unwrap(PGConnection.class).getCopyAPI();
            while (true) {
                copies.copyOut(statements.get(), out);
            }
        }

        @Override
        public void close() throws SQLException {
            connection.abort(Runnable::run);
        }
    }
}
