package io.sluice.offload.jdbc;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;

/** A JDBC driver whose connections behave as the test says. */
final class StubDriver implements Driver, AutoCloseable {
    final AtomicInteger connects = new AtomicInteger();
    final AtomicInteger validations = new AtomicInteger();
    final AtomicInteger closes = new AtomicInteger();
    volatile Callable<Boolean> onConnect = () -> true;
    volatile Callable<Boolean> onValidate = () -> true;
    volatile Runnable onClose = () -> { };
    private final String url;

    StubDriver(String url) throws SQLException {
        this.url = url;
        DriverManager.registerDriver(this);
    }

    @Override
    public Connection connect(String url, Properties info) throws SQLException {
        if (!acceptsURL(url)) {
            return null;
        }
        connects.incrementAndGet();
        call(onConnect);
        return (Connection) Proxy.newProxyInstance(StubDriver.class.getClassLoader(),
                new Class<?>[] {Connection.class}, (_, method, _) -> switch (method.getName()) {
                    case "isValid" -> {
                        validations.incrementAndGet();
                        yield call(onValidate);
                    }
                    case "close" -> {
                        closes.incrementAndGet();
                        onClose.run();
                        yield null;
                    }
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    private static boolean call(Callable<Boolean> behaviour) throws SQLException {
        try {
            return behaviour.call();
        } catch (SQLException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new SQLException(e);
        }
    }

    @Override
    public boolean acceptsURL(String url) {
        return this.url.equals(url);
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
        return new DriverPropertyInfo[0];
    }

    @Override
    public int getMajorVersion() {
        return 1;
    }

    @Override
    public int getMinorVersion() {
        return 0;
    }

    @Override
    public boolean jdbcCompliant() {
        return false;
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getGlobal();
    }

    @Override
    public void close() throws SQLException {
        DriverManager.deregisterDriver(this);
    }
}
