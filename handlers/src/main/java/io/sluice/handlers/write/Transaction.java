package io.sluice.handlers.write;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.config.ParameterConfig.Source;
import io.sluice.config.type.PathTemplate;
import io.sluice.config.type.SqlName;
import io.sluice.config.write.IdempotencyConfig;
import io.sluice.config.write.WriteConfig;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.Mistake;
import io.sluice.handlers.http.IdempotencyKey;
import io.sluice.handlers.session.BoundSettings;
import io.sluice.offload.WorkScope;
import io.sluice.offload.jdbc.FetchBufferExceeded;
import io.sluice.offload.jdbc.PostgresDriver;
import io.sluice.offload.jdbc.StatementCanceller;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The statements before a query's, and the rules for statements that change nothing. Thread-safe; its methods
 * block.
 */
public final class Transaction {
    private static final int NOT_FOUND = HttpResponseStatus.NOT_FOUND.code();
    private static final @Nullable Object[] NO_ELEMENT = {};

    private final List<Step> steps;
    private final HttpResponseStatus none;
    private final Set<Source> preconditions;
    private final @Nullable IdempotencyTable keys;
    private final boolean keyRequired;
    private final int maxAnswer;
    private final StepRows stepRows;
    private final Predicate<SQLException> ofRequest;
    /**
     * The steps whose elements are sent one by one: a driver does not count their rows, as it rewrites
     * batches, or the database does not support that batch.
     */
    private final Set<Step> alone = ConcurrentHashMap.newKeySet();

    /**
     * The arguments of {@link #run}, for the parts of a run.
     *
     * @param unsupported receives the steps whose batch the database does not support, or a value in it
     */
    private record Run(Connection connection, WorkScope scope, BoundSettings local,
                       @Nullable Object[] values, WriteRequest request, RepeatableResponse answer,
                       OwnStatement own, Set<Step> unsupported) {
    }

    /**
     * Creates a transaction.
     *
     * @param route the path of the route, a part of its idempotency keys
     * @param preconditions those that the query's own statement has parameters from
     * @param stepRows the rows of steps that are fetched at a time
     * @param ofRequest indicates whether an error of the database is answered as one of the request
     */
    public Transaction(WriteConfig config, List<Step> steps, PathTemplate route,
                       Set<Source> preconditions, StepRows stepRows, Predicate<SQLException> ofRequest) {
        this.ofRequest = ofRequest;
        this.stepRows = stepRows;
        this.steps = steps;
        none = HttpResponseStatus.valueOf(config.none());
        this.preconditions = preconditions;
        keys = config.idempotency().map(table -> new IdempotencyTable(table, route.toString())).orElse(null);
        keyRequired = config.idempotency().filter(IdempotencyConfig::required).isPresent();
        maxAnswer = config.idempotency().map(table -> (int) table.maxAnswer().bytes()).orElse(0);
    }

    /**
     * Returns what the head of a request says. On the event loop.
     *
     * @param mistakes gets that of a malformed key
     */
    public WriteRequest request(Exchange exchange, List<Mistake> mistakes) {
        String caller = exchange.caller();
        String key = null;
        try {
            key = keys == null ? null : IdempotencyKey.of(exchange.headers(), keyRequired);
        } catch (HttpException malformed) {
            mistakes.addAll(malformed.mistakes());
        }
        return new WriteRequest(VersionTags.preconditions(exchange.headers()), key,
                exchange.request().method().name(), caller == null ? "" : caller);
    }

    /**
     * Runs the statements, and the query's own as the last one, or repeats the response to an earlier
     * request.
     *
     * @param local the settings of the transaction
     * @param values the values of the request, which are not changed
     * @param answer the response that the query's own statement writes
     * @throws HttpException if one of them had to change something, and has not
     */
    public void run(Connection connection, WorkScope scope, BoundSettings local, @Nullable Object[] values,
                    WriteRequest request, RepeatableResponse answer, OwnStatement own)
            throws SQLException, IOException {
        if (steps.isEmpty() && request.key() == null) {
            own.run(values, true);
            return;
        }
        connection.setAutoCommit(false);
        var run = new Run(connection, scope, local, values, request, answer, own, new HashSet<>(0));
        try {
            runOrRepeat(run, false);
        } catch (FailedElement.Unknown e) {
            connection.rollback();
            runOrRepeat(run, true);
            alone.addAll(run.unsupported); // not if a value is the cause, which fails alone, too
        }
    }

    /**
     * Runs the statements, or repeats the response to an earlier request.
     *
     * @param singly whether each element of a step is sent alone
     */
    private void runOrRepeat(Run run, boolean singly) throws SQLException, IOException {
        run.local.apply(run.connection);
        if (keys == null || run.request.key() == null) {
            runAll(run, singly);
            return;
        }
        StoredResponse stored = keys.insert(run.connection, run.scope, run.request,
                fingerprint(run.local, run.values));
        if (stored == null) {
            run.answer.keepWhole(maxAnswer);
            runAll(run, singly);
            keys.update(run.connection, run.scope, run.request, run.answer.stored());
        } else {
            run.answer.repeat(stored);
        }
    }

    /** Hashes the settings, too: one caller may ask for several tenants. */
    private static byte[] fingerprint(BoundSettings local, @Nullable Object[] values) {
        return ParameterHash.of(local.isEmpty() ? values : new Object[] {values, local.values()});
    }

    private void runAll(Run run, boolean singly) throws SQLException, IOException {
        @Nullable Object[] all = run.values.clone();
        for (Step step : steps) {
            try (PreparedStatement statement = run.connection.prepareStatement(step.jdbc());
                    var _ = new StatementCanceller(statement, run.scope)) {
                if (step.each() >= 0) {
                    runEach(step, statement, all, run.request, singly);
                } else {
                    runOnce(step, statement, all, run.request);
                }
            } catch (SQLException e) {
                if (FetchBufferExceeded.is(e)) {
                    stepRows.exceeded(step);
                } else if (e instanceof FailedElement.Unsupported) {
                    run.unsupported.add(step);
                }
                throw e;
            }
        }
        run.own.run(all, false);
    }

    private void runOnce(Step step, PreparedStatement statement, @Nullable Object[] values,
                         WriteRequest request) throws SQLException {
        step.binding().bind(statement, values, NO_ELEMENT);
        if (step.reads()) {
            stepRows.begin(step, statement);
        } else {
            statement.setMaxRows(1);
        }
        if (!statement.execute()) {
            if (statement.getUpdateCount() == 0 || !step.handedOn().isEmpty()) {
                requireNone(step, request, null);
            }
            return;
        }
        try (ResultSet rows = statement.getResultSet()) {
            if (!rows.next()) {
                requireNone(step, request, null);
                return;
            }
            for (Map.Entry<String, Integer> column : step.handedOn().entrySet()) {
                values[column.getValue()] = PostgresDriver.valueOf(rows, column.getKey());
            }
            if (step.reads()) {
                stepRows.readToEnd(step, rows);
            }
        }
    }

    private void runEach(Step step, PreparedStatement statement, @Nullable Object[] values,
                         WriteRequest request, boolean singly) throws SQLException {
        List<?> elements = values[step.each()] instanceof List<?> list ? list : List.of();
        String array = step.config().each().map(SqlName::text).orElse("");
        int[] changed = elements.isEmpty() ? new int[0] : FailedElement.run(statement, array, elements.size(),
                i -> step.binding().bind(statement, values, (@Nullable Object[]) elements.get(i)),
                singly || alone.contains(step), ofRequest);
        if (mustChange(step, request) && FailedElement.isUncounted(changed)) {
            alone.add(step);
            throw new FailedElement.Unknown(new SQLException("a batch without the counts of its elements"));
        }
        String nothing = step.config().noneDetail().orElse("changes nothing");
        if (changed.length == 0) {
            requireNone(step, request, Mistake.ofMember(array, "no element"));
        }
        for (int i = 0; i < changed.length; i++) {
            if (changed[i] == 0) {
                requireNone(step, request, Mistake.ofElement(array, i, nothing));
            }
        }
    }

    /** A step has changed nothing: throws if it should have. */
    private static void requireNone(Step step, WriteRequest request, @Nullable Mistake mistake) {
        if (fails(step.preconditions(), request)) {
            throw preconditionFailed();
        }
        int status = none(step);
        if (status != 0) {
            throw refusal(HttpResponseStatus.valueOf(status), mistake, step.config().noneDetail()
                    .orElse(status == NOT_FOUND ? "no such row" : "nothing to change"));
        }
    }

    /** Returns whether a request fails if a step has changed nothing. */
    private static boolean mustChange(Step step, WriteRequest request) {
        return none(step) != 0 || fails(step.preconditions(), request);
    }

    /** Returns the status if a step has changed nothing; 0 if that is no error. */
    private static int none(Step step) {
        return step.config().none().orElse(step.handedOn().isEmpty() ? 0 : NOT_FOUND);
    }

    /** Returns whether a request fails if the query's own statement has changed nothing. */
    public boolean mustChange() {
        return !preconditions.isEmpty() || none.code() >= HttpResponseStatus.BAD_REQUEST.code();
    }

    /**
     * Returns the status of the response if the query's own statement has changed nothing: 200 or 204.
     *
     * @throws HttpException if that is an error
     */
    public HttpResponseStatus nothingChanged(WriteRequest request) {
        if (fails(preconditions, request)) {
            throw preconditionFailed();
        }
        if (none.code() >= HttpResponseStatus.BAD_REQUEST.code()) {
            throw refusal(none, null, none.code() == NOT_FOUND ? "no such row" : "nothing to change");
        }
        return none;
    }

    /** Returns whether a statement that has changed nothing has evaluated a precondition of the request. */
    private static boolean fails(Set<Source> evaluated, WriteRequest request) {
        return !Collections.disjoint(evaluated, request.preconditions());
    }

    private static HttpException preconditionFailed() {
        return new HttpException(HttpResponseStatus.PRECONDITION_FAILED,
                "the resource is not in the state that the request expects");
    }

    private static HttpException refusal(HttpResponseStatus status, @Nullable Mistake mistake,
                                         String detail) {
        return mistake != null ? HttpException.causedBy(mistake, status, null)
                : new HttpException(status, detail);
    }
}
