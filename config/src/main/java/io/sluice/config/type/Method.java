package io.sluice.config.type;


/** The request methods of routes (RFC 9110 section 9, RFC 5789). */
public enum Method { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS }
