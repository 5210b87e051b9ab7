package io.sluice.gateway;

import java.util.Objects;
import java.util.Properties;

/** The main class of the process: runs the command named by its arguments. */
public final class Main {

    private Main() {
    }

    /** Runs a command. With {@code serve} it blocks until SIGTERM or SIGINT stops the process. */
    public static void main(String[] args) {
        tune();
        int code = Commands.line().execute(args);
        if (code != Command.DONE) {
            System.exit(code);
        }
    }

    /**
     * Sets system properties that libraries read when their classes load, unless the command line sets them.
     */
    private static void tune() {
        Properties settings = System.getProperties();
        // Netty's leak detection runs in tests, for every buffer. Even sampling would cost each request here.
        settings.putIfAbsent("io.netty.leakDetection.level", "disabled");
        // Each thread keeps so many unused objects of a kind, such as buffers without their memory. A busy
        // event loop uses fewer at a time; Netty's 4,096 would fill up over hours of bursts, and look like a
        // leak.
        settings.putIfAbsent("io.netty.recycler.maxCapacityPerThread", "256");
        // For a faster start: no JFR events of Netty; native accessors instead of a method handle for each
        // record of the configuration, as each is read once; no support of Groovy closures in picocli.
        settings.putIfAbsent("io.netty.jfr.enabled", "false");
        settings.putIfAbsent("jdk.reflect.useNativeAccessorOnly", "true");
        settings.putIfAbsent("picocli.disable.closures", "true");
    }

    static String version() {
        return Objects.requireNonNullElse(Main.class.getPackage().getImplementationVersion(), "(unpackaged)");
    }
}
