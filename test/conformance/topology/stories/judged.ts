/** A class that contains every type of part. Its machines come up on both sides. */
import type { ClusterClassSpec } from '../../../../shared/kinds/cluster-class/schema.ts';
import type { KubeObject } from '../../../../shared/kube-api/object.ts';
import { type Any, type Provider, type Step, type Story, setVariables, type Target, topologyOf } from '../story.ts';
import { readObjects } from '../templates.ts';
import { REFUSALS } from './judged-refusals.ts';

const CLUSTER: Target = { plural: 'clusters', name: 'judged' };
const CLASS: Target = { plural: 'clusterclasses', name: 'judged' };

/** A copy of the class with another name and other labels, and without the patch for sizes. */
const otherClass = (given: KubeObject): KubeObject => {
  const other = structuredClone(given) as KubeObject & { spec: ClusterClassSpec };
  const { patches = [], controlPlane } = other.spec;
  return {
    ...other,
    metadata: { ...other.metadata, name: 'other' },
    spec: {
      ...other.spec,
      controlPlane: { ...controlPlane, metadata: { labels: { 'of-class': 'other' } } },
      patches: patches.filter(({ name }) => name !== 'size'),
    },
  } as KubeObject;
};

const objects = (provider: Provider): KubeObject[] =>
  readObjects(provider, `judged-${provider.toLowerCase()}`, 'judged').flatMap((object) =>
    object.kind === 'ClusterClass' ? [object, otherClass(object)] : [object],
  );

const variablesOfAllParts: Step = {
  what: 'variables of all parts',
  of: CLUSTER,
  edit: setVariables({
    owner: 'green',
    size: 'large',
    audit: { enabled: true, sinks: ['one', 'two'].map((name) => ({ url: `https://${name}.example.com` })) },
  }),
};

const furtherGroup: Step = {
  what: 'a further group of workers, with overrides',
  of: CLUSTER,
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
  of: CLUSTER,
  edit: topologyOf(({ workers, controlPlane }) => {
    workers.machineDeployments[0].metadata.labels.added = 'later';
    controlPlane.metadata.annotations['example.com/added'] = 'later';
  }),
};

const classInPlace: Step = {
  what: 'a change of the class that replaces no machine',
  of: CLASS,
  edit: ({ spec }) => {
    const [worker] = spec.workers.machineDeployments;
    worker.deletion.nodeDrainTimeoutSeconds = 45;
    delete worker.metadata.labels['of-class'];
    spec.controlPlane.healthCheck.checks.nodeStartupTimeoutSeconds = 1000;
  },
};

const patchOfClass: Step = {
  what: 'a patch of the class',
  of: CLASS,
  edit: ({ spec }) => {
    const patch = spec.patches.find((it: Any) => it.name === 'version');
    const path = '/spec/template/spec/preKubeadmCommands/-';
    patch.definitions[0].jsonPatches.push({ op: 'add', path, value: 'echo later' });
  },
};

const deferredUpgrade: Step = {
  what: 'an upgrade that one group of workers defers',
  of: CLUSTER,
  reason: 'MachineDeploymentsUpgradeDeferred',
  edit: topologyOf((topology) => {
    topology.version = 'v1.35.0';
    const [, second] = topology.workers.machineDeployments;
    second.metadata = { annotations: { 'topology.cluster.x-k8s.io/defer-upgrade': '' } };
  }),
};

const endOfUpgrade: Step = {
  what: 'the end of that upgrade',
  of: CLUSTER,
  edit: topologyOf(({ workers }) => {
    delete workers.machineDeployments[1].metadata;
  }),
};

const rebase: Step = {
  what: 'a rebase to a class of the same kinds, with fewer workers',
  of: CLUSTER,
  edit: topologyOf((topology) => {
    topology.classRef.name = 'other';
    topology.workers.machineDeployments = topology.workers.machineDeployments.slice(0, 1);
    topology.workers.machineDeployments[0].replicas = 0;
  }),
};

export const judged: Story = {
  name: 'judged',
  about: 'a class with something of everything',
  cluster: 'judged',
  upstream: 'Dev',
  objects,
  refusals: REFUSALS,
  steps: [
    variablesOfAllParts,
    furtherGroup,
    metadata,
    classInPlace,
    patchOfClass,
    deferredUpgrade,
    endOfUpgrade,
    rebase,
  ],
};
