package io.sluice.gateway.lifecycle;

import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for the signal SIGHUP. Its JDK classes are in the module jdk.unsupported and are
 * called by reflection, because javac warns of code that uses them.
 */
public final class SighupListener {
    private static final Logger log = LoggerFactory.getLogger(SighupListener.class);

    private SighupListener() {
    }

    /** Runs an action for each SIGHUP, on a thread of the JVM. */
    public static void run(Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object runner = Proxy.newProxyInstance(SighupListener.class.getClassLoader(),
                    new Class<?>[] {handler}, (_, _, _) -> {
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
