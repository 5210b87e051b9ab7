package io.sluice.config.topic;

/** The loss beyond a client's budget: the oldest messages, all but the latest, or the connection. */
public enum OverBudget { DROP_OLDEST, LATEST_ONLY, CLOSE }
