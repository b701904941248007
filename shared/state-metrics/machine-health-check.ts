import { kinds, type MachineHealthCheck } from '../kinds/index.ts';
import { gauge, info, type StateMetrics } from './family.ts';
import { conditions, created, owners, paused } from './recurring-families.ts';

const NOUN = 'machinehealthcheck';

export const machineHealthCheckMetrics: StateMetrics<MachineHealthCheck> = {
  resource: kinds.machineHealthCheck,
  prefix: 'capi_machinehealthcheck',
  labels: ({ spec }) => ({ cluster_name: spec.clusterName }),
  families: [
    paused(NOUN),
    created(NOUN),
    info('info', 'When a machinehealthcheck remediates, and the cluster it belongs to.', ({ spec }) => ({
      cluster_name: spec.clusterName,
      remediation_triggerif_unhealthyinrange: spec.remediation?.triggerIf?.unhealthyInRange,
      remediation_triggerif_unhealthylessthanorequalto: spec.remediation?.triggerIf?.unhealthyLessThanOrEqualTo,
    })),
    owners(NOUN),
    ...conditions<MachineHealthCheck>(NOUN),
    gauge(
      'status_current_healthy',
      'Healthy machines of a machinehealthcheck.',
      ({ status }) => status?.currentHealthy ?? 0,
    ),
    gauge(
      'status_expected_machines',
      'Machines that a machinehealthcheck selects.',
      ({ status }) => status?.expectedMachines ?? 0,
    ),
    gauge(
      'status_remediations_allowed',
      'Machines that a machinehealthcheck may remediate now.',
      ({ status }) => status?.remediationsAllowed ?? 0,
    ),
  ],
};
