package io.sluice.handlers.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.handlers.HttpException;
import java.sql.SQLException;

/** What a client is told of an SQL error: never the SQL, nor the database's own words. */
final class SqlErrors {

    private SqlErrors() {
    }

    /** The exception to answer with; by the class of the SQLSTATE, its first two characters. */
    static Throwable forClient(Throwable failure) {
        if (!(failure instanceof SQLException sql) || sql.getSQLState() == null) {
            return failure;
        }
        String state = sql.getSQLState();
        return switch (state.substring(0, Math.min(2, state.length()))) {
            case "22" -> new HttpException(HttpResponseStatus.UNPROCESSABLE_ENTITY,
                    "a value does not fit", sql);
            case "23" -> new HttpException(HttpResponseStatus.CONFLICT,
                    "conflicts with what is stored", sql);
            case "40" -> new HttpException(HttpResponseStatus.SERVICE_UNAVAILABLE,
                    "collided with another request; try again", sql);
            case "08", "53" -> new HttpException(HttpResponseStatus.SERVICE_UNAVAILABLE,
                    "the database is not available", sql);
            case "57" -> state.equals("57014")
                    ? new HttpException(HttpResponseStatus.GATEWAY_TIMEOUT, "the query took too long", sql)
                    : new HttpException(HttpResponseStatus.SERVICE_UNAVAILABLE,
                            "the database is not available", sql);
            default -> failure;
        };
    }
}
