package io.sluice.loadtest.experiments.faults;

import io.sluice.loadtest.experiments.site.TargetSite;
import io.sluice.loadtest.experiments.wire.Attacker;
import io.sluice.loadtest.experiments.wire.Squad;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A failure of one component, temporary or permanent. */
public enum Fault {
    /** Connections to the database are reset, and new ones, too. */
    DATABASE_DOWN(scene -> scene.databases().proxy().down(), Fault::mendDatabase),
    /** Responses of the database are 500 ms late. */
    DATABASE_SLOW(scene -> scene.databases().proxy().slow(Duration.ofMillis(500)), Fault::mendDatabase),
    /** Each connection to the database is reset after 500 bytes of its answers. */
    DATABASE_RESETS(scene -> scene.databases().proxy().resetAfter(500), Fault::mendDatabase),
    /** Another database becomes the primary; existing connections become read-only. */
    DATABASE_FAILS_OVER(scene -> scene.databases().failOver(), null),
    /** No file descriptor can be opened (EMFILE). */
    NO_DESCRIPTORS(Fault::useUpDescriptors,
            scene -> scene.gateway().limit("nofile", Integer.toString(TargetSite.SMALL.openFiles()))),
    /** Neither the log can be written nor the temporary file for responses that clients do not read. */
    DISK_FULL(Fault::fillDisk, Fault::clearDisk),
    /** Clients use up the gateway's direct memory: they do not read the echo of what they upload. */
    NO_DIRECT_MEMORY(scene -> scene.beset(Squad.deaf(200, uploads())), Scene::relieve),
    /** One of two gateways is stopped (SIGTERM). */
    ONE_OF_TWO_TERMINATED(scene -> scene.gateway().terminate(), null),
    /** One of two gateways is killed (SIGKILL). */
    ONE_OF_TWO_KILLED(scene -> scene.gateway().kill(), null);

    /** Responses that are not read; fewer than the workers of the database. */
    private static final int UNREAD = 4;
    private static final int UPLOAD_BYTES = 1_000_000;

    private final Step inject;
    private final @Nullable Step mend;

    Fault(Step inject, @Nullable Step mend) {
        this.inject = inject;
        this.mend = mend;
    }

    /** An action on the scene. */
    @FunctionalInterface
    private interface Step {
        void apply(Scene scene) throws Exception;
    }

    private static void mendDatabase(Scene scene) {
        scene.databases().proxy().mend();
    }

    /**
     * Sets the limit below the number of open descriptors, but above 0: with 0, poll(2) fails, which needs no
     * new one.
     */
    private static void useUpDescriptors(Scene scene) throws Exception {
        scene.gateway().limit("nofile", "32");
    }

    private static void fillDisk(Scene scene) throws Exception {
        scene.fillDisk();
        scene.beset(Squad.deaf(UNREAD, wire -> {
            wire.send("GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n".formatted(TargetSite.LONG));
            TimeUnit.DAYS.sleep(1);
        }));
    }

    private static void clearDisk(Scene scene) throws Exception {
        scene.relieve();
        scene.clearDisk();
    }

    private static Attacker uploads() {
        var body = new byte[UPLOAD_BYTES];
        return wire -> {
            while (true) {
                wire.send("PUT %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
                        .formatted(TargetSite.ECHO, UPLOAD_BYTES));
                wire.send(body);
            }
        };
    }

    /** The faults that a single gateway recovers from. */
    public static Stream<Fault> ofOneGateway() {
        return Stream.of(values()).filter(fault -> !fault.needsTwo());
    }

    boolean needsTwo() {
        return this == ONE_OF_TWO_TERMINATED || this == ONE_OF_TWO_KILLED;
    }

    /** Returns whether the fault can be ended; if not, the gateways have to recover while it lasts. */
    boolean mendable() {
        return mend != null;
    }

    /** Begins the fault. */
    public void inject(Scene scene) throws Exception {
        inject.apply(scene);
    }

    /** Ends the fault, if it can be ended. */
    public void mend(Scene scene) throws Exception {
        if (mend != null) {
            mend.apply(scene);
        }
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
