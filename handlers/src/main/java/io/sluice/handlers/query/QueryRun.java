package io.sluice.handlers.query;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.util.concurrent.Future;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.Mistake;
import io.sluice.handlers.form.Form;
import io.sluice.handlers.selection.Selection;
import io.sluice.handlers.session.BoundSettings;
import io.sluice.offload.Work;
import io.sluice.offload.WorkScope;
import io.sluice.offload.jdbc.FetchBufferExceeded;
import io.sluice.offload.jdbc.SqlWork;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** The run of a query for one request, from the pool's queue to the response. */
final class QueryRun {
    private final Query query;
    private final Exchange exchange;
    private final RowRequest request;
    private final BoundSettings settings;
    private final Work<QueryArguments> source;
    /** Indicates whether the source can be called once only. */
    private final boolean once;
    /** The mistakes in the head of the request, except for its parameters and the selection. */
    private final List<Mistake> ofHead = new ArrayList<>(0);
    /** The values of the parameters; null if each run reads them, as they are too large to wait. */
    private @Nullable QueryArguments arguments;
    /** Indicates whether the mistakes have been taken. */
    private boolean taken;
    /**
     * Indicates whether to run once more, fetching rows singly. Set by a worker, and read after it has
     * finished.
     */
    private boolean again;

    /**
     * Creates a run; 406 if the client accepts no response of it.
     *
     * @param source returns the values of the query's parameters; called on a worker, for each run that has
     *     none
     * @param once whether the source can be called once only
     */
    QueryRun(Query query, Exchange exchange, Work<QueryArguments> source, boolean once) {
        this.query = query;
        this.exchange = exchange;
        request = query.request(exchange, ofHead);
        settings = query.settings(exchange, ofHead);
        this.source = source;
        this.once = once;
    }

    /**
     * Checks values that are known before the run, and keeps them for it unless they are large; 400 for
     * mistakes. Those of a selection may also be found by the run, if the database has to tell the types of
     * columns. On the event loop.
     */
    QueryRun with(QueryArguments known) {
        take(known);
        if (request.selection() == null) {
            known.values();
        } else {
            request.selection().checkWithoutDatabase();
        }
        arguments = known.areLarge() ? null : known;
        return this;
    }

    /** Submits the run. On the event loop. */
    Future<?> submit() {
        Future<ResponseRest> result = query.database().submitPrepared(
                exchange.clientNetwork(), exchange.deadline(), exchange.eventLoop(), this::prepare);
        exchange.onAbort(() -> result.cancel(false));
        result.addListener(_ -> {
            if (result.isSuccess()) {
                send(result.getNow());
            } else if (result.cause() instanceof FetchBufferExceeded && again) {
                submit();
            } else {
                boolean inForm = Form.of(exchange.headers().get(HttpHeaderNames.CONTENT_TYPE)) != null;
                exchange.fail(forClient(result.cause(), inForm));
            }
        });
        return result;
    }

    /** Sends the response. A failure, such as a shortage of memory, must not leave the client waiting. */
    private void send(ResponseRest response) {
        try {
            response.send();
        } catch (Throwable e) {
            exchange.fail(e);
        }
    }

    private Throwable forClient(Throwable failure, boolean inForm) {
        Selection selection = request.selection();
        HttpException refusal = selection == null ? null : selection.refusal(failure);
        Throwable told = refusal == null ? query.errors().forClient(failure, inForm) : refusal;
        return told instanceof HttpException error ? query.varying(error) : told;
    }

    /** Takes the mistakes of arguments, which are told together with all others of the request. */
    private void take(QueryArguments read) {
        if (taken) {
            return; // they have been read before, with the same mistakes
        }
        taken = true;
        read.mistakes().addAll(ofHead);
        if (request.selection() != null) {
            request.selection().mistakes().addAll(0, read.mistakes());
        }
    }

    private QueryArguments read(WorkScope scope) throws Exception {
        QueryArguments read = source.run(scope);
        take(read);
        if (once && isSafe()) {
            arguments = read; // for a second run
        }
        return read;
    }

    private SqlWork<ResponseRest> prepare(WorkScope scope) throws Exception {
        boolean alone = again;
        again = false;
        QueryArguments read = arguments == null ? read(scope) : arguments;
        @Nullable Object[] known = request.selection() == null ? read.values() : read.raw();
        if (!query.oversize().isEmpty() && query.oversize().has(identity(known))) {
            throw query.database().exceeded(null);
        }
        if (alone) {
            return (connection, running) -> executeAlone(connection, running, known);
        }
        if (!query.oversize().isEmpty() && query.database().hasLostMany()) {
            throw HttpException.tryAgain("too many results are too wide", null);
        }
        return (connection, running) -> execute(connection, running, known, false);
    }

    /** Fetching rows singly takes long, so only half of the connections may do it at a time. */
    private ResponseRest executeAlone(Connection connection, WorkScope scope, @Nullable Object[] known)
            throws SQLException, IOException {
        Semaphore permits = query.database().retries();
        if (!permits.tryAcquire()) {
            throw HttpException.tryAgain("too many results are as wide as this", null);
        }
        try {
            return execute(connection, scope, known, true);
        } finally {
            permits.release();
        }
    }

    private ResponseRest execute(Connection connection, WorkScope scope, @Nullable Object[] known,
                               boolean alone)
            throws SQLException, IOException {
        var answer = new BlockingResponse(exchange, scope, request.mediaType(), query.spillSpace());
        ResultPages pages = query.pages(request, alone);
        try {
            query.execute(new Execution(connection, scope, request, pages, answer), settings, known);
            return answer.rest();
        } catch (Throwable e) {
            if (FetchBufferExceeded.is(e)) {
                again = canRunAgain(e, known, pages, answer);
            }
            answer.discard();
            throw e;
        }
    }

    private boolean canRunAgain(Throwable exceeded, @Nullable Object[] known, ResultPages pages,
                                BlockingResponse answer) {
        if (exceeded instanceof FetchBufferExceeded || pages.largest() == 1) { // a single row exceeds it
            query.oversize().add(identity(known));
            return false;
        }
        if (answer.isUnsent() && isSafe() && query.allRead()) {
            return true;
        }
        query.fetchSize().exceeded();
        return false;
    }

    /** Returns the values that the width of the result depends on. A policy may read the settings. */
    private @Nullable Object[] identity(@Nullable Object[] known) {
        Selection selection = request.selection();
        @Nullable Object[] all = Arrays.copyOf(known, known.length + 2);
        all[known.length] = selection == null ? null : selection.values();
        all[known.length + 1] = settings.values();
        return all;
    }

    /** Returns whether the method is safe (RFC 9110 section 9.2.1), so that the query may run twice. */
    private boolean isSafe() {
        HttpMethod method = exchange.request().method();
        return method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD);
    }
}
