import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Api } from '../../../infra/cli/api/client.ts';
import { systemClock } from '../../../shared/clock.ts';
import { LIMIT, PATIENCE_SECONDS } from '../../../shared/test-patience.ts';
import { startTestLaptop, type TestLaptop } from '../../end-to-end/laptop.ts';
import { startUpstream, type Upstream } from '../conditions/upstream.ts';
import { createAll, manifestsFor, NAMESPACE, type Provider } from './manifests.ts';
import { readClusterObject, readState, type State } from './state.ts';

// biome-ignore lint/suspicious/noExplicitAny: objects of which the steps change parts.
type Any = any;

const assets = process.env.KUBEBUILDER_ASSETS;
const programs = process.env.WINDLASS_MANAGERS;
const CORE = `/apis/cluster.x-k8s.io/v1beta2/namespaces/${NAMESPACE}`;
const LOOK_MILLISECONDS = 500;

const isTrue = ({ status }: Any, type: string): boolean =>
  status?.conditions?.find((it: Any) => it.type === type)?.status === 'True';

/** Whether nothing is under way any more. `reason`: what the topology has to say. */
const isAtRest = (cluster: Any, reason: string): boolean => {
  const { generation } = cluster.metadata;
  const found = cluster.status?.conditions?.find((it: Any) => it.type === 'TopologyReconciled');
  const busy = ['RollingOut', 'ScalingUp', 'ScalingDown'].some((type) => isTrue(cluster, type));
  return (
    found?.reason === reason &&
    found.observedGeneration === generation &&
    cluster.status.observedGeneration === generation &&
    isTrue(cluster, 'Available') &&
    !busy
  );
};

const untilAtRest = async (api: Api, provider: Provider, reason: string): Promise<State> => {
  const end = Date.now() + Number(process.env.JUDGE_SECONDS ?? PATIENCE_SECONDS) * 1000;
  for (let looks = 0; ; ) {
    const cluster = await readClusterObject(api);
    looks = isAtRest(cluster, reason) ? looks + 1 : 0;
    // One more look: what was changed by the last pass may change something itself.
    if (looks > 2) return readState(api, provider);
    if (Date.now() > end) {
      const conditions = cluster.status?.conditions?.map(
        (it: Any) => `${it.type} ${it.status} ${it.reason} ${it.message}`,
      );
      throw new Error(`${provider} is not at rest:\n${conditions?.join('\n')}`);
    }
    await systemClock.sleep(LOOK_MILLISECONDS);
  }
};

/** Reads, changes and writes an object, again where another writer was faster. */
const change = async (api: Api, path: string, edit: (object: Any) => void): Promise<void> => {
  for (let tries = 0; ; tries += 1) {
    const object = await api.send<Any>('GET', path);
    edit(object);
    try {
      await api.send('PUT', path, object);
      return;
    } catch (error) {
      const isConflict = (error as Any)?.status?.code === 409;
      if (!isConflict || tries > 20) throw error;
    }
  }
};

const CLUSTER = `${CORE}/clusters/judged`;
const CLASS = `${CORE}/clusterclasses/judged`;

const topologyOf = (edit: (topology: Any) => void) => (cluster: Any) => edit(cluster.spec.topology);

const setVariable = (name: string, value: unknown) =>
  topologyOf((topology) => {
    topology.variables = [...topology.variables.filter((it: Any) => it.name !== name), { name, value }];
  });

interface Step {
  what: string;
  path: string;
  edit: (object: Any) => void;
  reason?: string;
}

const STEPS: readonly Step[] = [
  {
    what: 'a variable that changes the control plane and the workers',
    path: CLUSTER,
    edit: setVariable('owner', 'green'),
  },
  {
    what: 'a nested variable that enables a patch',
    path: CLUSTER,
    edit: setVariable('audit', {
      enabled: true,
      sinks: [{ url: 'https://one.example.com' }, { url: 'https://two.example.com' }],
    }),
  },
  { what: 'a variable that changes machine templates', path: CLUSTER, edit: setVariable('size', 'large') },
  {
    what: 'a further group of workers, with an override',
    path: CLUSTER,
    edit: topologyOf((topology) => {
      topology.workers.machineDeployments.push({
        class: 'default-worker',
        name: 'md-1',
        replicas: 1,
        variables: {
          overrides: [
            { name: 'owner', value: 'red' },
            { name: 'size', value: 'small' },
          ],
        },
        healthCheck: { enabled: false },
      });
    }),
  },
  {
    what: 'labels and annotations, which replace no machine',
    path: CLUSTER,
    edit: topologyOf((topology) => {
      topology.workers.machineDeployments[0].metadata.labels.added = 'later';
      topology.controlPlane.metadata.annotations['example.com/added'] = 'later';
    }),
  },
  {
    what: 'a change of the class that replaces no machine',
    path: CLASS,
    edit: ({ spec }) => {
      spec.workers.machineDeployments[0].deletion.nodeDrainTimeoutSeconds = 45;
      spec.controlPlane.healthCheck.checks.nodeStartupTimeoutSeconds = 1000;
      delete spec.workers.machineDeployments[0].metadata.labels['of-class'];
    },
  },
  {
    what: 'a patch of the class',
    path: CLASS,
    edit: ({ spec }) => {
      const [patch] = spec.patches.filter((it: Any) => it.name === 'version');
      patch.definitions[0].jsonPatches.push({
        op: 'add',
        path: '/spec/template/spec/preKubeadmCommands/-',
        value: 'echo later',
      });
    },
  },
  {
    what: 'an upgrade that one group of workers defers',
    path: CLUSTER,
    reason: 'MachineDeploymentsUpgradeDeferred',
    edit: topologyOf((topology) => {
      topology.version = 'v1.35.0';
      const [, second] = topology.workers.machineDeployments;
      second.metadata = { annotations: { 'topology.cluster.x-k8s.io/defer-upgrade': '' } };
    }),
  },
  {
    what: 'the end of that upgrade',
    path: CLUSTER,
    edit: topologyOf((topology) => {
      delete topology.workers.machineDeployments[1].metadata;
    }),
  },
  {
    what: 'a group of workers less, and none of the other',
    path: CLUSTER,
    edit: topologyOf((topology) => {
      topology.workers.machineDeployments = topology.workers.machineDeployments.slice(0, 1);
      topology.workers.machineDeployments[0].replicas = 0;
    }),
  },
];

// One story, told in order.
describe.skipIf(!assets || !programs)('a managed topology', { timeout: LIMIT }, () => {
  let laptop: TestLaptop;
  let upstream: Upstream;

  const compare = async (reason = 'ReconcileSucceeded') => {
    const [theirs, ours] = await Promise.all([
      untilAtRest(upstream.api, 'Dev', reason),
      untilAtRest(laptop.api, 'AWS', reason),
    ]);
    expect(ours.progress).toEqual(theirs.progress);
    expect(ours.objects).toEqual(theirs.objects);
  };

  beforeAll(async () => {
    const start = startUpstream(assets ?? '', programs ?? '', ['ClusterTopology']);
    [laptop, upstream] = await Promise.all([startTestLaptop(), start]);
    await Promise.all([createAll(laptop.api, manifestsFor('AWS')), createAll(upstream.api, manifestsFor('Dev'))]);
  }, LIMIT);
  afterAll(async () => {
    await Promise.all([laptop?.stop(), upstream?.stop()]);
  }, LIMIT);

  it('becomes the objects that upstream makes of it', async () => {
    await compare();
  });

  it.each(STEPS)('follows $what as upstream does', async ({ path, edit, reason }) => {
    await Promise.all([change(laptop.api, path, edit), change(upstream.api, path, edit)]);
    await compare(reason);
  });
});
