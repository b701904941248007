/** Attributes of load balancers by the names that ELBv2 gives them. */

export const CROSS_ZONE = 'load_balancing.cross_zone.enabled';

/** Only for classic load balancers; in seconds. */
export const IDLE_TIMEOUT = 'idle_timeout.timeout_seconds';
