package io.sluice.gateway.source;

import static io.sluice.gateway.source.SourceBed.soon;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A source whose process halts while it reads: the next process continues behind the last message in the
 * sink.
 */
class HaltedSourceIT {
    private static final int ROWS = 50;

    /** The process, which reads until it halts. */
    static final class Reader {

        private Reader() {
        }

        public static void main(String[] args) throws Exception {
            var bed = new SourceBed(args[0], args[1], args[2], args[3]);
            var sink = new PostgresSink(args[0], args[1], args[2], args[3] + "_taken")
                    .haltAfter(Integer.parseInt(args[5]));
            if (args[4].equals("outbox")) {
                bed.readOutbox(sink, "batch-rows = 20");
            } else {
                bed.readSlot(sink, "tables." + args[3] + " = a, batch-rows = 20");
            }
            Thread.sleep(Duration.ofMinutes(1)); // another thread halts the process before that
        }
    }

    /**
     * The process halts in the middle of a batch, or before the database knows that the sink has all
     * messages.
     */
    @ParameterizedTest
    @CsvSource({"outbox, 27", "outbox, 40", "slot, 7", "slot, 50"})
    void nothingIsLostOrDoubled(String kind, int handedOver) throws Exception {
        try (var bed = new SourceBed().outbox()) {
            bed.execute("CREATE TABLE $t_taken (key text PRIMARY KEY, payload bytea)");
            if (kind.equals("slot")) {
                bed.slot("$t");
            }
            bed.execute("INSERT INTO $t (topic, payload) SELECT 'a', n FROM generate_series(1, 50) AS s(n)");
            Process process = new ProcessBuilder(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
                    Reader.class.getName(), bed.url(), bed.user(), bed.password(), bed.name, kind,
                    String.valueOf(handedOver))).inheritIO().start();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(7);
            assertThat(bed.number("SELECT count(*) FROM $t_taken")).isEqualTo(handedOver);

            var sink = bed.other(
                    new PostgresSink(bed.url(), bed.user(), bed.password(), bed.name + "_taken"));
            if (kind.equals("outbox")) {
                bed.readOutbox(sink, "");
                soon().until(() -> bed.rows() == 0);
            } else {
                bed.readSlot(sink, "tables." + bed.name + " = a");
                soon().until(
                        () -> bed.number("SELECT count(*) FROM $t_taken") >= ROWS);
            }
            assertThat(bed.number("SELECT count(*) FROM $t_taken")).isEqualTo(ROWS);
            assertThat(bed.number("SELECT count(DISTINCT payload) FROM $t_taken")).isEqualTo(ROWS);
        }
    }
}
