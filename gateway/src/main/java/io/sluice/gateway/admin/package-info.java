/**
 * The admin port: metrics, health, pools, routes, the configuration and its reload, on a listener of its own.
 */
package io.sluice.gateway.admin;
