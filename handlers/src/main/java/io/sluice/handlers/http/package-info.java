/** Simple kinds of routes: text, json, echo, index, cpu, delay; readers of requests for the other kinds. */
package io.sluice.handlers.http;
