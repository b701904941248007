import { kinds, type MachineDeployment, type MachineSet } from '../kinds/index.ts';
import type { MachinePool } from '../kinds/machine-pool/schema.ts';
import { gauge, info, numberOf, type StateMetrics } from './family.ts';
import {
  conditions,
  created,
  maxSurge,
  owners,
  paused,
  phase,
  replicas,
  specPaused,
  templateLabels,
} from './recurring-families.ts';

const PHASES = ['ScalingUp', 'ScalingDown', 'Running', 'Failed', 'Unknown'];

const infoOf = <T extends MachineDeployment | MachineSet>(noun: string) =>
  info<T>('info', `The references and the version in the template of a ${noun}.`, ({ spec: { template } }) => ({
    ...templateLabels(template),
    bootstrap_reference_kind: template.spec.bootstrap.configRef?.kind,
    bootstrap_reference_name: template.spec.bootstrap.configRef?.name,
  }));

export const machineDeploymentMetrics: StateMetrics<MachineDeployment> = {
  resource: kinds.machineDeployment,
  prefix: 'capi_machinedeployment',
  labels: ({ spec }) => ({ cluster_name: spec.clusterName }),
  families: [
    paused('machinedeployment'),
    created('machinedeployment'),
    infoOf('machinedeployment'),
    owners('machinedeployment'),
    specPaused('machinedeployment'),
    maxSurge('machinedeployment'),
    gauge(
      'spec_strategy_rollingupdate_max_unavailable',
      'Machines that may be unavailable in a rollout of a machinedeployment: a number, or a share of them below 1.',
      ({ spec }) => numberOf(spec.rollout?.strategy?.rollingUpdate?.maxUnavailable),
    ),
    ...conditions<MachineDeployment>('machinedeployment'),
    phase('machinedeployment', PHASES),
    ...replicas<MachineDeployment>('machinedeployment'),
  ],
};

export const machineSetMetrics: StateMetrics<MachineSet> = {
  resource: kinds.machineSet,
  prefix: 'capi_machineset',
  labels: ({ spec }) => ({ cluster_name: spec.clusterName }),
  families: [
    paused('machineset'),
    created('machineset'),
    infoOf('machineset'),
    owners('machineset'),
    ...conditions<MachineSet>('machineset'),
    ...replicas<MachineSet>('machineset'),
  ],
};

export const machinePoolMetrics: StateMetrics<MachinePool> = {
  resource: kinds.machinePool,
  prefix: 'capi_machinepool',
  labels: ({ spec }) => ({ cluster_name: spec.clusterName }),
  families: [
    paused('machinepool'),
    created('machinepool'),
    info('info', 'The references and the version in the template of a machinepool.', ({ spec: { template } }) => ({
      ...templateLabels(template),
      bootstrap_configuration_reference_kind: template.spec.bootstrap.configRef?.kind,
      bootstrap_configuration_reference_name: template.spec.bootstrap.configRef?.name,
      failure_domain: template.spec.failureDomain,
    })),
    owners('machinepool'),
    ...conditions<MachinePool>('machinepool'),
    phase('machinepool', PHASES),
    ...replicas<MachinePool>('machinepool'),
  ],
};
