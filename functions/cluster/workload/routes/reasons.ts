import { warning } from '../../../../shared/events/catalogue.ts';

/**
 * Reasons of events that are recorded on nodes, in the workload cluster itself. The names are those of Kubernetes' route
 * controller.
 */
export const ROUTE_REASONS = {
  FailedToCreateRoute: warning({ Node: 'There is no route to its pods.' }),
};
