/** Pools, pauses, upgrades over several minor versions, and incomplete classes. */
import { type Story, setVariable, topologyOf } from '../story.ts';
import { readObjects } from '../templates.ts';
import { classOf, clusterOf, look, storyOf, WORKER } from './elsewhere.ts';

const POOLS = clusterOf('pools');

export const pools: Story = storyOf('pools', {
  about: 'MachinePools',
  has: ['pools'],
  refusals: [
    {
      what: 'a pool of a class that does not exist',
      of: POOLS,
      edit: topologyOf(({ workers }) => {
        workers.machinePools[0].class = 'other';
      }),
    },
    {
      what: 'two pools of one name',
      of: POOLS,
      edit: topologyOf(({ workers }) => {
        workers.machinePools[1].name = 'mp-0';
      }),
    },
  ],
  steps: [
    { what: 'a variable of pools', of: POOLS, edit: setVariable('tag', 'changed') },
    {
      what: 'a further pool that waits for the control plane, and other replicas',
      of: POOLS,
      reason: 'ClusterUpgrading',
      edit: topologyOf(({ workers }) => {
        workers.machinePools[0].replicas = 5;
        workers.machinePools.push({ class: 'plain', name: 'late', replicas: 0 });
      }),
    },
    {
      what: 'a class that takes values back',
      of: classOf('pools'),
      reason: 'ClusterUpgrading',
      edit: ({ spec }) => {
        const [pool] = spec.workers.machinePools;
        for (const field of ['failureDomains', 'minReadySeconds', 'metadata', 'deletion']) delete pool[field];
      },
    },
    {
      what: 'a template that changes in place',
      of: WORKER,
      afterwards: look('pools'),
      reason: 'ClusterUpgrading',
      edit: ({ spec }) => {
        spec.template.spec.preKubeadmCommands.push('echo fourth');
      },
    },
    {
      what: 'the removal of pools',
      of: POOLS,
      edit: topologyOf(({ workers }) => {
        workers.machinePools = workers.machinePools.slice(0, 1);
      }),
    },
  ],
});

const PAUSES = clusterOf('pauses');
const PAUSED = 'cluster.x-k8s.io/paused';
const setDrain = (seconds: number) =>
  topologyOf(({ controlPlane }) => {
    controlPlane.deletion = { nodeDrainTimeoutSeconds: seconds };
  });

export const pauses: Story = storyOf('pauses', {
  about: 'a paused cluster, and a paused class',
  steps: [
    {
      what: 'a pause of the cluster',
      of: PAUSES,
      reason: 'Paused',
      edit: ({ spec }) => {
        spec.paused = true;
      },
    },
    { what: 'a change of a paused cluster', of: PAUSES, reason: 'Paused', isQuiet: true, edit: setDrain(5) },
    {
      what: 'a pause by annotation as well',
      of: PAUSES,
      reason: 'Paused',
      edit: ({ metadata }) => {
        metadata.annotations = { [PAUSED]: '' };
      },
    },
    {
      what: 'the end of the pause',
      of: PAUSES,
      edit: ({ metadata, spec }) => {
        delete spec.paused;
        delete metadata.annotations[PAUSED];
      },
    },
    {
      what: 'a pause of the class',
      of: classOf('pauses'),
      isOfClass: true,
      edit: ({ metadata }) => {
        metadata.annotations = { [PAUSED]: '' };
      },
    },
    { what: 'a change of a cluster with a paused class', of: PAUSES, edit: setDrain(6) },
    {
      what: 'a change of a paused class',
      of: classOf('pauses'),
      reason: 'ReconcileFailed',
      edit: ({ spec }) => {
        spec.controlPlane.deletion = { nodeDeletionTimeoutSeconds: 7 };
        spec.variables = [{ name: 'late', required: false, schema: { openAPIV3Schema: { type: 'string' } } }];
      },
    },
    {
      what: 'a change of a cluster whose class has changed while it was paused',
      of: PAUSES,
      reason: 'ReconcileFailed',
      isQuiet: true,
      edit: setDrain(8),
    },
    {
      what: 'the end of the pause of the class',
      of: classOf('pauses'),
      edit: ({ metadata }) => {
        delete metadata.annotations[PAUSED];
      },
    },
  ],
});

const CHAINED = clusterOf('chained');
const HOLD = 'before-upgrade.hook.cluster.cluster.x-k8s.io/wait';

export const chained: Story = storyOf('chained', {
  about: 'upgrades over several minors in one change, by the versions of the class',
  upstream: 'Dev',
  objects: (provider) => readObjects(provider, `judged-${provider.toLowerCase()}`, 'chained'),
  refusals: [
    {
      what: 'a version that is none of the class',
      of: CHAINED,
      edit: topologyOf((topology) => {
        topology.version = 'v1.34.0';
      }),
    },
    {
      what: 'a class without the version of the cluster',
      of: classOf('chained'),
      edit: ({ spec }) => {
        spec.kubernetesVersions = spec.kubernetesVersions.slice(1);
      },
    },
    {
      what: 'a class that leaves a minor out',
      of: classOf('chained'),
      edit: ({ spec }) => {
        spec.kubernetesVersions = ['v1.33.0', 'v1.35.0'];
      },
    },
  ],
  steps: [
    {
      what: 'an upgrade over two minors that an annotation holds back',
      of: CHAINED,
      reason: 'ClusterUpgrading',
      edit: (cluster) => {
        cluster.metadata.annotations = { ...cluster.metadata.annotations, [HOLD]: '' };
        cluster.spec.topology.version = 'v1.35.0';
      },
    },
    {
      what: 'that upgrade once nothing holds it',
      of: CHAINED,
      edit: ({ metadata }) => {
        delete metadata.annotations[HOLD];
      },
    },
  ],
});

export const bare: Story = storyOf('bare', {
  about: 'a control plane without a template for its machines, which kubeadm needs',
  reason: 'ReconcileFailed',
  failsWhole: 'upstream creates the infrastructure first; here nothing is created unless all objects are valid',
  refusals: [
    {
      what: 'a class that has one after all',
      of: classOf('bare'),
      edit: ({ spec }) => {
        const apiVersion = 'infrastructure.cluster.x-k8s.io/v1beta2';
        const templateRef = { apiVersion, kind: 'AWSMachineTemplate', name: 'control-plane' };
        spec.controlPlane.machineInfrastructure = { templateRef };
      },
    },
  ],
  steps: [],
});

export const rke2: Story = storyOf('rke2', {
  about: 'another distribution',
  has: ['rke2'],
  steps: [
    { what: 'a variable', of: clusterOf('rke2'), edit: setVariable('cni', 'cilium') },
    {
      what: 'own values for the control plane',
      of: clusterOf('rke2'),
      edit: topologyOf(({ controlPlane }) => {
        controlPlane.metadata = { labels: { of: 'topology' }, annotations: { 'example.com/of': 'topology' } };
        controlPlane.deletion = { nodeDrainTimeoutSeconds: 0, nodeDeletionTimeoutSeconds: 50 };
        controlPlane.replicas = 1;
      }),
    },
  ],
});
