import { normal, warning } from '../../../../shared/events/catalogue.ts';

/**
 * Reasons of events that are recorded on Services, in the workload cluster itself. The names are those of Kubernetes'
 * service controller.
 */
export const SERVICE_REASONS = {
  EnsuringLoadBalancer: normal({ Service: 'Its load balancer is created or changed.' }),
  EnsuredLoadBalancer: normal({ Service: 'Its load balancer is as desired.' }),
  UpdatedLoadBalancer: normal({ Service: 'Its load balancer sends to other nodes.' }),
  DeletedLoadBalancer: normal({ Service: 'Its load balancer was deleted.' }),
  UnAvailableLoadBalancer: warning({ Service: 'There are no nodes that its load balancer can send to.' }),
  SyncLoadBalancerFailed: warning({ Service: 'Its load balancer could not be created, changed or deleted.' }),
};

export type ServiceReason = keyof typeof SERVICE_REASONS;
