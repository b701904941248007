import { warning } from '../../../../shared/events/catalogue.ts';

/** Why events are recorded on nodes, in the created cluster itself. Names of Kubernetes' route controller. */
export const ROUTE_REASONS = {
  FailedToCreateRoute: warning({ Node: 'There is no route to its pods.' }),
};
