package io.sluice.offload;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The waiting tasks of a pool, first in, first out, with a share for each client. If the running and due
 * tasks of a client reach its share of the workers, its further tasks are surplus: they are served after the
 * due tasks of all clients, and not by the last idle workers, which are reserved for other clients. Every
 * operation takes constant time. Not thread-safe.
 */
final class TaskQueue<T extends PermitRequest> {
    private final long share;
    private int reserve;
    private final LinkedHashSet<T> due = new LinkedHashSet<>();
    private final LinkedHashSet<T> surplus = new LinkedHashSet<>();
    private final Map<ClientNetwork, Client<T>> clients = new HashMap<>();
    /** The number of clients that hold more workers than their share. */
    private int greedy;

    /** The tasks of one client; removed when it has none. */
    private static final class Client<T> {
        private int running;
        private int due;
        /** Null until the first, as most clients never have any. */
        private @Nullable LinkedHashSet<T> surplus;

        void addSurplus(T task) {
            if (surplus == null) {
                surplus = new LinkedHashSet<>();
            }
            surplus.add(task);
        }

        boolean hasSurplus() {
            return surplus != null && !surplus.isEmpty();
        }
    }

    /**
     * Creates an empty queue.
     *
     * @param share the number of workers that one client may hold while tasks of others wait
     */
    TaskQueue(long share) {
        this.share = share;
    }

    /** Sets the number of idle workers that surplus tasks do not get. */
    void keepInReserve(int workers) {
        reserve = workers;
    }

    /** Returns whether a new task of a client would not get the reserved workers. */
    boolean isKeptFromReserve(@Nullable ClientNetwork client) {
        return reserve > 0 && isBeyondShare(client);
    }

    boolean isEmpty() {
        return due.isEmpty() && surplus.isEmpty();
    }

    int size() {
        return due.size() + surplus.size();
    }

    /** Returns whether a new task of a client would be surplus. */
    boolean isBeyondShare(@Nullable ClientNetwork network) {
        Client<T> client = clients.get(network);
        return client != null && client.running + client.due >= share;
    }

    /** Returns whether a new task of a client would get one of the idle workers at once. */
    boolean isServed(@Nullable ClientNetwork client, int idle) {
        return idle > 0 && (!isBeyondShare(client) || idle > reserve && isEmpty());
    }

    /** Returns whether any client holds more workers than its share. */
    boolean anyGreedy() {
        return greedy > 0;
    }

    /** Returns whether a task waits whose client is within its share. */
    boolean anyDue() {
        return !due.isEmpty();
    }

    /** Returns whether a client holds more workers than its share. */
    boolean holdsTooMany(@Nullable ClientNetwork network) {
        Client<T> client = clients.get(network);
        return client != null && client.running > share;
    }

    /** Returns whether a new task of a client may displace a surplus task. */
    boolean canMakeRoomFor(@Nullable ClientNetwork client) {
        return !isBeyondShare(client) && !surplus.isEmpty();
    }

    /** Returns the number of tasks ahead of a new task of a client. */
    int ahead(@Nullable ClientNetwork network) {
        return isBeyondShare(network) ? size() : due.size();
    }

    /** Returns the first of the tasks ahead of a new task of a client; null if there is none. */
    @Nullable T head(@Nullable ClientNetwork network) {
        return isBeyondShare(network) || !due.isEmpty() ? head() : null;
    }

    /** Returns the task that is served next; null if there is none. */
    @Nullable T head() {
        return !due.isEmpty() ? due.getFirst() : surplus.isEmpty() ? null : surplus.getFirst();
    }

    void add(T task) {
        task.queued(ahead(task.client()));
        if (task.client() == null) {
            due.add(task);
            return;
        }
        boolean beyond = isBeyondShare(task.client());
        Client<T> client = clients.computeIfAbsent(task.client(), _ -> new Client<>());
        if (beyond) {
            client.addSurplus(task);
            surplus.add(task);
        } else {
            client.due++;
            due.add(task);
        }
    }

    /** Removes and returns the next task for one of the idle workers; null if none may be served. */
    @Nullable T poll(int idle) {
        return idle == 0 || due.isEmpty() && idle <= reserve ? null : poll();
    }

    private @Nullable T poll() {
        T task = head();
        if (task != null) {
            takeOut(task);
        }
        return task;
    }

    /** Removes and returns all tasks. */
    List<T> pollAll() {
        var all = new ArrayList<T>(size());
        for (T task = poll(); task != null; task = poll()) {
            all.add(task);
        }
        return all;
    }

    /** Removes and returns the youngest surplus task; null if there is none. */
    @Nullable T pollYoungestSurplus() {
        T task = surplus.isEmpty() ? null : surplus.getLast();
        if (task != null) {
            takeOut(task);
        }
        return task;
    }

    /** Removes a task; returns false if it does not wait. */
    boolean remove(T task) {
        boolean waited = takeOut(task);
        if (waited) {
            shareHasRoom(task.client());
        }
        return waited;
    }

    private boolean takeOut(T task) {
        Client<T> client = clients.get(task.client());
        if (due.remove(task)) {
            if (client != null) {
                client.due--;
            }
            return true;
        }
        return client != null && client.surplus != null && surplus.remove(task)
                && client.surplus.remove(task);
    }

    /** Records that a worker has begun a task, which has been removed. */
    void started(T task) {
        if (task.client() != null
                && clients.computeIfAbsent(task.client(), _ -> new Client<>()).running++ == share) {
            greedy++;
        }
    }

    /** Records that a worker has ended a task. */
    void ended(T task) {
        Client<T> client = clients.get(task.client());
        if (client != null) {
            if (--client.running == share) {
                greedy--;
            }
            shareHasRoom(task.client());
        }
    }

    /** Moves surplus tasks of a client to the end of the due ones, as far as its share has room. */
    private void shareHasRoom(@Nullable ClientNetwork network) {
        Client<T> client = clients.get(network);
        if (client == null) {
            return;
        }
        while (client.surplus != null && !client.surplus.isEmpty() && client.running + client.due < share) {
            T task = client.surplus.removeFirst();
            surplus.remove(task);
            task.queued(due.size());
            client.due++;
            due.add(task);
        }
        if (client.running + client.due == 0 && !client.hasSurplus()) {
            clients.remove(network);
        }
    }
}
