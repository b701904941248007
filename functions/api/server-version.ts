/** The Kubernetes version whose API conventions are served; clients compare it with their own. */
export const SERVED_VERSION = 'v1.34.0+windlass';
