package io.sluice.handlers.http;

import io.netty.handler.codec.http.HttpMethod;
import io.netty.util.concurrent.Future;
import io.sluice.handlers.Exchange;
import io.sluice.offload.FetchBufferExceeded;
import io.sluice.offload.SqlWork;
import io.sluice.offload.Work;
import io.sluice.offload.WorkScope;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;

/** One request's run of a query, from the pool's queue to its answer. */
final class QueryRun {
    private final Query query;
    private final Exchange exchange;
    private final Work<Object[]> source;
    /** Null until a worker has read them. */
    private Object[] values;
    /** By a worker, and read when it has finished. */
    private boolean mayRunAgain;

    /**
     * A run that has not begun.
     *
     * @param source of the values of the query's parameters; read once, on a worker
     */
    QueryRun(Query query, Exchange exchange, Work<Object[]> source) {
        this.query = query;
        this.exchange = exchange;
        this.source = source;
    }

    /** Submits it, on the event loop. */
    Future<?> submit() {
        Future<AnswerRest> result = query.database().submitPrepared(
                exchange.clientNetwork(), exchange.deadline(), exchange.eventLoop(), this::prepare);
        exchange.onAbort(() -> result.cancel(false));
        result.addListener(_ -> {
            if (result.isSuccess()) {
                result.getNow().send();
            } else if (result.cause() instanceof FetchBufferExceeded && mayRunAgain) {
                submit();
            } else {
                exchange.fail(SqlErrors.forClient(result.cause()));
            }
        });
        return result;
    }

    private SqlWork<AnswerRest> prepare(WorkScope scope) throws Exception {
        if (values == null) {
            values = source.run(scope);
        }
        return this::execute;
    }

    private AnswerRest execute(Connection connection, WorkScope scope) throws SQLException, IOException {
        var answer = new BlockingAnswer(exchange, scope, Json.MEDIA_TYPE, query.spillSpace());
        boolean manyAtOnce = query.fetchSize().rows() > 1;
        try {
            query.execute(connection, scope, values, answer);
            return answer.rest();
        } catch (Throwable e) {
            if (FetchBufferExceeded.is(e)) {
                query.fetchSize().exceeded();
                mayRunAgain = manyAtOnce && answer.isUnsent() && isSafe();
            }
            answer.discard();
            throw e;
        }
    }

    /** RFC 9110 section 9.2.1: such a request may be served twice. */
    private boolean isSafe() {
        HttpMethod method = exchange.request().method();
        return method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD);
    }
}
