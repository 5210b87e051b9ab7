package io.sluice.offload;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * The waiting tasks of a pool, first in, first out. A client that holds its share of the workers, or has
 * tasks waiting for the rest of it, is served behind all others: its further tasks are the surplus, which
 * may have to leave some idle workers to other clients. Every operation takes constant time. Not thread-safe.
 */
final class TaskQueue {
    private final long share;
    private int reserve;
    private final LinkedHashSet<OffloadTask<?>> due = new LinkedHashSet<>();
    private final LinkedHashSet<OffloadTask<?>> surplus = new LinkedHashSet<>();
    private final Map<ClientNetwork, Client> clients = new HashMap<>();

    /** The tasks of one client; forgotten when it has none. */
    private static final class Client {
        private int running;
        private int due;
        private final LinkedHashSet<OffloadTask<?>> surplus = new LinkedHashSet<>();
    }

    /**
     * An empty queue.
     *
     * @param share of the workers, which one client may hold while others wait
     */
    TaskQueue(long share) {
        this.share = share;
    }

    /** Sets the number of idle workers that no surplus is given from now on. */
    void reserve(int workers) {
        reserve = workers;
    }

    /** Tells whether a further task of a client would be kept from idle workers. */
    boolean isKeptFromReserve(ClientNetwork client) {
        return reserve > 0 && isBeyondShare(client);
    }

    boolean isEmpty() {
        return due.isEmpty() && surplus.isEmpty();
    }

    int size() {
        return due.size() + surplus.size();
    }

    /** Tells whether a further task of a client would be surplus. */
    boolean isBeyondShare(ClientNetwork of) {
        Client client = clients.get(of);
        return client != null && client.running + client.due >= share;
    }

    /** Tells whether a further task of a client would be given one of the idle workers. */
    boolean isServed(ClientNetwork client, int idle) {
        return idle > 0 && (!isBeyondShare(client) || idle > reserve && isEmpty());
    }

    /** Tells whether a client holds more workers than its share. */
    boolean holdsTooMany(ClientNetwork of) {
        Client client = clients.get(of);
        return client != null && client.running > share;
    }

    /** Tells whether a task of a client may take the place of a surplus one. */
    boolean canMakeRoomFor(ClientNetwork client) {
        return !isBeyondShare(client) && !surplus.isEmpty();
    }

    /** How many tasks a further one of a client would wait for. */
    int ahead(ClientNetwork of) {
        return isBeyondShare(of) ? size() : due.size();
    }

    /** The first of the tasks that a further one of a client would wait for; or null. */
    OffloadTask<?> head(ClientNetwork of) {
        return isBeyondShare(of) || !due.isEmpty() ? head() : null;
    }

    /** The task that is served next; or null. */
    OffloadTask<?> head() {
        return !due.isEmpty() ? due.getFirst() : surplus.isEmpty() ? null : surplus.getFirst();
    }

    void add(OffloadTask<?> task) {
        task.queued(ahead(task.client()));
        if (task.client() == null) {
            due.add(task);
            return;
        }
        boolean beyond = isBeyondShare(task.client());
        Client client = clients.computeIfAbsent(task.client(), _ -> new Client());
        if (beyond) {
            client.surplus.add(task);
            surplus.add(task);
        } else {
            client.due++;
            due.add(task);
        }
    }

    /** Takes the next task out for one of the idle workers; null where none is served. */
    OffloadTask<?> poll(int idle) {
        return idle == 0 || due.isEmpty() && idle <= reserve ? null : poll();
    }

    private OffloadTask<?> poll() {
        OffloadTask<?> task = head();
        if (task != null) {
            takeOut(task);
        }
        return task;
    }

    /** Takes all tasks out. */
    List<OffloadTask<?>> pollAll() {
        var all = new ArrayList<OffloadTask<?>>(size());
        for (OffloadTask<?> task = poll(); task != null; task = poll()) {
            all.add(task);
        }
        return all;
    }

    /** Takes the youngest surplus task out; null where there is none. */
    OffloadTask<?> pollYoungestSurplus() {
        OffloadTask<?> task = surplus.isEmpty() ? null : surplus.getLast();
        if (task != null) {
            takeOut(task);
        }
        return task;
    }

    /** Takes a task out, if it waits. */
    void remove(OffloadTask<?> task) {
        if (takeOut(task)) {
            shareHasRoom(task.client());
        }
    }

    private boolean takeOut(OffloadTask<?> task) {
        Client client = clients.get(task.client());
        if (due.remove(task)) {
            if (client != null) {
                client.due--;
            }
            return true;
        }
        return surplus.remove(task) && client.surplus.remove(task);
    }

    /** A worker has begun a task, which does not wait any more. */
    void started(OffloadTask<?> task) {
        if (task.client() != null) {
            clients.computeIfAbsent(task.client(), _ -> new Client()).running++;
        }
    }

    /** A worker has finished a task. */
    void ended(OffloadTask<?> task) {
        if (task.client() != null) {
            clients.get(task.client()).running--;
            shareHasRoom(task.client());
        }
    }

    /** Moves surplus of a client behind the tasks that are due, where its share has room for it now. */
    private void shareHasRoom(ClientNetwork of) {
        Client client = clients.get(of);
        if (client == null) {
            return;
        }
        while (!client.surplus.isEmpty() && client.running + client.due < share) {
            OffloadTask<?> task = client.surplus.removeFirst();
            surplus.remove(task);
            task.queued(due.size());
            client.due++;
            due.add(task);
        }
        if (client.running + client.due == 0 && client.surplus.isEmpty()) {
            clients.remove(of);
        }
    }
}
