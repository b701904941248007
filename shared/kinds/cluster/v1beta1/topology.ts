import { oldStrategy } from '../../machine-deployment/v1beta1/schema.ts';
import { strategyRules } from '../../machine-deployment/v1beta1/version.ts';
import { anyJson, int32, keyedList, list, options, someOf, struct, text, time } from '../../schema/fields.ts';
import { machineTaints } from '../../schema/machine-parts.ts';
import { templateMeta } from '../../schema/meta.ts';
import { LABEL } from '../../schema/names.ts';
import { topologyCheckRules, topologyHealthCheck } from '../../v1beta1/health-check.ts';
import { field, items, type Rule, within } from '../../v1beta1/rules.ts';
import { deletionTimeouts, readinessGates } from '../../v1beta1/schema.ts';
import { deletionRules } from '../../v1beta1/shared-rules.ts';

/** `Cluster.spec.topology` of v1beta1. */

const variables = () =>
  keyedList(['name'], struct({ name: text(1, 256), value: anyJson }, { definitionFrom: text(0, 256) }), { max: 1000 });

const common = () => ({
  metadata: templateMeta,
  replicas: int32(),
  taints: machineTaints,
  variables: options({ overrides: variables() }),
  ...deletionTimeouts(),
});

const healthChecked = () => ({
  ...common(),
  machineHealthCheck: topologyHealthCheck(),
  readinessGates: readinessGates(),
  rollout: someOf({ after: time }),
});

const named = () => ({ class: text(1, 256), name: text(1, 63) });

const machineDeployments = () =>
  keyedList(
    ['name'],
    struct(named(), {
      ...healthChecked(),
      failureDomain: text(1, 256),
      minReadySeconds: int32(),
      strategy: oldStrategy(),
    }),
    { max: 2000 },
  );

const machinePools = () =>
  keyedList(
    ['name'],
    struct(named(), {
      ...common(),
      failureDomains: list(text(1, 256), { max: 100 }),
      minReadySeconds: int32(),
    }),
    { max: 2000 },
  );

export const oldTopology = () =>
  struct(
    { class: text(1, 253), version: text(1, 256) },
    {
      classNamespace: text(1, 63, LABEL),
      rolloutAfter: time,
      controlPlane: options(healthChecked()),
      workers: options({ machineDeployments: machineDeployments(), machinePools: machinePools() }),
      variables: variables(),
    },
  );

const healthRules = within('machineHealthCheck', 'healthCheck', topologyCheckRules);

const machineDeploymentRules: readonly Rule[] = [
  ...deletionRules,
  ...healthRules,
  ...strategyRules,
  field('strategy.remediation.maxInFlight', 'healthCheck.remediation.maxInFlight'),
];

export const topologyRules: readonly Rule[] = [
  field('class', 'classRef.name'),
  field('classNamespace', 'classRef.namespace'),
  ...within('controlPlane', 'controlPlane', [...deletionRules, ...healthRules]),
  field('workers.machineDeployments', 'workers.machineDeployments', items(machineDeploymentRules)),
  field('workers.machinePools', 'workers.machinePools', items(deletionRules)),
];
