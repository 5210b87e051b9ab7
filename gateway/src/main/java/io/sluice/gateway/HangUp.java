package io.sluice.gateway;

import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The signal SIGHUP. The JDK has it in the module jdk.unsupported alone, against whose classes javac does not
 * compile without a warning.
 */
final class HangUp {
    private static final Logger log = LoggerFactory.getLogger(HangUp.class);

    private HangUp() {
    }

    /** Has something done whenever the process gets the signal, on a thread of the JVM's. */
    static void run(Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object runner = Proxy.newProxyInstance(HangUp.class.getClassLoader(), new Class<?>[] {handler},
                    (_, _, _) -> {
                        action.run();
                        return null;
                    });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance("HUP"), runner);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            log.warn("SIGHUP does not reload the configuration here; POST /reload does", e);
        }
    }
}
