package io.sluice.gateway;

import java.util.Objects;
import java.util.Properties;

/** The process: runs the command that its arguments name. */
public final class Main {

    private Main() {
    }

    /** Runs a command; after {@code serve} the gateway's threads go on until the process is told to stop. */
    public static void main(String[] args) {
        tune();
        int code = Commands.line().execute(args);
        if (code != Command.DONE) {
            System.exit(code);
        }
    }

    /** Settings of libraries, before these are loaded, where the command line has none. */
    private static void tune() {
        Properties settings = System.getProperties();
        // Leaks are looked for in tests, in all buffers; to look in some, here, costs each request.
        settings.putIfAbsent("io.netty.leakDetection.level", "disabled");
        // For the first answer to come sooner: no events for the JDK's flight recorder, no method handle
        // for each record of the configuration, which is made once, and no closures of Groovy in picocli.
        settings.putIfAbsent("io.netty.jfr.enabled", "false");
        settings.putIfAbsent("jdk.reflect.useNativeAccessorOnly", "true");
        settings.putIfAbsent("picocli.disable.closures", "true");
    }

    static String version() {
        return Objects.requireNonNullElse(Main.class.getPackage().getImplementationVersion(), "(unpackaged)");
    }
}
