/** What happens to the cluster and its class, in this order. */
import { type Any, CLASS, CLUSTER, type Edit, setVariable, topologyOf } from './objects.ts';

/** `reason`: what TopologyReconciled says at the end. */
export type Step = Edit & { reason?: string };

const variablesOfAllParts: Step = {
  what: 'variables of all parts',
  path: CLUSTER,
  edit: (cluster) => {
    setVariable('owner', 'green')(cluster);
    setVariable('size', 'large')(cluster);
    const sinks = ['one', 'two'].map((name) => ({ url: `https://${name}.example.com` }));
    setVariable('audit', { enabled: true, sinks })(cluster);
  },
};

const furtherGroup: Step = {
  what: 'a further group of workers, with overrides',
  path: CLUSTER,
  edit: topologyOf(({ workers }) => {
    const overrides = [
      { name: 'owner', value: 'red' },
      { name: 'size', value: 'small' },
    ];
    workers.machineDeployments.push({
      class: 'default-worker',
      name: 'md-1',
      replicas: 1,
      variables: { overrides },
      healthCheck: { enabled: false },
    });
  }),
};

const metadata: Step = {
  what: 'labels and annotations, which replace no machine',
  path: CLUSTER,
  edit: topologyOf(({ workers, controlPlane }) => {
    workers.machineDeployments[0].metadata.labels.added = 'later';
    controlPlane.metadata.annotations['example.com/added'] = 'later';
  }),
};

const classInPlace: Step = {
  what: 'a change of the class that replaces no machine',
  path: CLASS,
  edit: ({ spec }) => {
    const [worker] = spec.workers.machineDeployments;
    worker.deletion.nodeDrainTimeoutSeconds = 45;
    delete worker.metadata.labels['of-class'];
    spec.controlPlane.healthCheck.checks.nodeStartupTimeoutSeconds = 1000;
  },
};

const patchOfClass: Step = {
  what: 'a patch of the class',
  path: CLASS,
  edit: ({ spec }) => {
    const patch = spec.patches.find((it: Any) => it.name === 'version');
    const path = '/spec/template/spec/preKubeadmCommands/-';
    patch.definitions[0].jsonPatches.push({ op: 'add', path, value: 'echo later' });
  },
};

const deferredUpgrade: Step = {
  what: 'an upgrade that one group of workers defers',
  path: CLUSTER,
  reason: 'MachineDeploymentsUpgradeDeferred',
  edit: topologyOf((topology) => {
    topology.version = 'v1.35.0';
    const [, second] = topology.workers.machineDeployments;
    second.metadata = { annotations: { 'topology.cluster.x-k8s.io/defer-upgrade': '' } };
  }),
};

const endOfUpgrade: Step = {
  what: 'the end of that upgrade',
  path: CLUSTER,
  edit: topologyOf(({ workers }) => {
    delete workers.machineDeployments[1].metadata;
  }),
};

const rebase: Step = {
  what: 'a rebase to a class of the same kinds, with fewer workers',
  path: CLUSTER,
  edit: topologyOf((topology) => {
    topology.classRef.name = 'other';
    topology.workers.machineDeployments = topology.workers.machineDeployments.slice(0, 1);
    topology.workers.machineDeployments[0].replicas = 0;
  }),
};

export const STEPS: readonly Step[] = [
  variablesOfAllParts,
  furtherGroup,
  metadata,
  classInPlace,
  patchOfClass,
  deferredUpgrade,
  endOfUpgrade,
  rebase,
];
