package io.sluice.handlers.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.handlers.HttpException;
import java.sql.SQLException;

/** Maps SQL errors to responses, without the SQL or the database's message. reference.conf has the table. */
final class SqlErrors {

    private SqlErrors() {
    }

    /** Returns the exception to respond with, by the SQLSTATE or its class, the first two characters. */
    static Throwable forClient(Throwable failure) {
        if (!(failure instanceof SQLException sql) || sql.getSQLState() == null) {
            return failure;
        }
        String state = sql.getSQLState();
        return switch (state) {
            case "57014" -> new HttpException(HttpResponseStatus.GATEWAY_TIMEOUT,
                    "the query took too long", sql);
            // Lock timeouts: PostgreSQL's, and two of H2's.
            case "55P03", "HYT00", "90131" -> collided(sql);
            // Read-only transaction: the former primary, after a failover; the connection is replaced.
            case "25006" -> unavailable(sql);
            // PL/pgSQL's RAISE EXCEPTION and SELECT INTO STRICT.
            case "P0001" -> new HttpException(HttpResponseStatus.UNPROCESSABLE_ENTITY,
                    "refused by a rule of the database", sql);
            case "P0002" -> new HttpException(HttpResponseStatus.NOT_FOUND, "no such row", sql);
            default -> ofClass(state.substring(0, Math.min(2, state.length())), sql);
        };
    }

    private static Throwable ofClass(String stateClass, SQLException sql) {
        return switch (stateClass) {
            case "22" -> new HttpException(HttpResponseStatus.UNPROCESSABLE_ENTITY,
                    "a value does not fit", sql);
            case "23", "44" -> new HttpException(HttpResponseStatus.CONFLICT,
                    "conflicts with what is stored", sql);
            case "40" -> collided(sql);
            case "08", "53", "57" -> unavailable(sql);
            default -> sql;
        };
    }

    private static HttpException unavailable(SQLException sql) {
        return HttpException.tryAgain("the database is not available", sql);
    }

    private static HttpException collided(SQLException sql) {
        return HttpException.tryAgain("collided with another request; try again", sql);
    }
}
