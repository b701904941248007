import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeDrainWorld } from '../../../functions/machine/node/drain/test-world.ts';
import { kinds, type MachineDrainRule } from '../../../shared/kinds/index.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { startRealWorkload } from '../addons/workload.ts';
import {
  addBudget,
  addPod,
  finish,
  type JudgedCluster,
  MERGE,
  must,
  NODE,
  PODS,
  removeAll,
  setBudget,
  startSimulatedWorkload,
} from './judged-cluster.ts';

/**
 * Runs the step that drains a node against a kube-apiserver and against a simulated cluster. The transcripts must be
 * equal.
 */
const assets = process.env.KUBEBUILDER_ASSETS;

const ATTACHMENTS = '/apis/storage.k8s.io/v1/volumeattachments';
const VOLUMES = '/api/v1/persistentvolumes';

const rule = (name: string, drain: MachineDrainRule['spec']['drain'], app: string): MachineDrainRule => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'MachineDrainRule',
  metadata: { name, namespace: 'default' },
  spec: { drain, pods: [{ selector: { matchLabels: { app } } }] },
});

const labelled = (app: string, more: Record<string, string> = {}) => ({ metadata: { labels: { app, ...more } } });

/** Creates a node with a pod of each type. */
const furnish = async (cluster: JudgedCluster): Promise<void> => {
  await must(cluster, 'POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: NODE } });
  const conditions = [{ type: 'Ready', status: 'True' }];
  await must(cluster, 'PATCH', `/api/v1/nodes/${NODE}/status`, { status: { conditions } }, MERGE);
  const template = { metadata: { labels: { app: 'agent' } }, spec: { containers: [{ name: 'c', image: 'agent' }] } };
  const set = { metadata: { name: 'agent' }, spec: { selector: { matchLabels: { app: 'agent' } }, template } };
  const path = '/apis/apps/v1/namespaces/default/daemonsets';
  const made = await cluster.send('POST', path, { apiVersion: 'apps/v1', kind: 'DaemonSet', ...set });
  const { uid } = (made.body as { metadata: { uid: string } }).metadata;
  const owner = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid, controller: true };
  await addPod(cluster, 'agent-x', { metadata: { labels: { app: 'agent' }, ownerReferences: [owner] } });
  await addPod(cluster, 'web-1');
  await addPod(cluster, 'web-2');
  await addPod(cluster, 'db', labelled('db'));
  await addPod(cluster, 'left', labelled('left'));
  await addPod(cluster, 'job', labelled('job', { 'cluster.x-k8s.io/drain': 'wait-completed' }));
  await addBudget(cluster, 'web', { disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 2 });
  const csi = { driver: 'ebs.csi.aws.com', volumeHandle: 'vol-1' };
  const claimRef = { kind: 'PersistentVolumeClaim', namespace: 'default', name: 'data' };
  await must(cluster, 'POST', VOLUMES, {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'pv-1' },
    spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], csi, claimRef },
  });
  await must(cluster, 'POST', ATTACHMENTS, {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    metadata: { name: 'va-1' },
    spec: { attacher: csi.driver, nodeName: NODE, source: { persistentVolumeName: 'pv-1' } },
  });
  await must(cluster, 'PATCH', `${ATTACHMENTS}/va-1/status`, { status: { attached: true } }, MERGE);
};

/** Records everything that a user sees during the drain, line by line. */
const tell = async (cluster: JudgedCluster): Promise<string[]> => {
  const w = await makeDrainWorld({ connect: cluster.connect, nodeName: NODE });
  for (const one of [
    rule('db-last', { behavior: 'Drain', order: 9 }, 'db'),
    rule('left', { behavior: 'Skip' }, 'left'),
  ]) {
    await w.objects.ensure(kinds.machineDrainRule, one);
  }
  await furnish(cluster);
  const told: string[] = [];
  const look = async (what: string): Promise<void> => {
    const { progress } = await w.look();
    const { reason, message } = (await w.deleting()) ?? {};
    told.push(`${what}: ${progress}, ${reason}: ${message}`);
  };
  await look('a budget forbids it');
  await setBudget(cluster, 'web', { disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1 });
  await look('one may go');
  await finish(cluster, 'web-1');
  await setBudget(cluster, 'web', { disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1, disruptedPods: null });
  await look('the other may go');
  await finish(cluster, 'web-2');
  await look('the job is left');
  await must(cluster, 'DELETE', `${PODS}/job`, { gracePeriodSeconds: 0 });
  await look('the last one');
  await finish(cluster, 'db');
  await look('its volume is left');
  await must(cluster, 'DELETE', `${ATTACHMENTS}/va-1`);
  await look('nothing is left');
  const { body } = await cluster.send('GET', `${PODS}?fieldSelector=spec.nodeName%3D${NODE}`);
  const { items } = body as { items: { metadata: { name: string } }[] };
  const node = (await cluster.send('GET', `/api/v1/nodes/${NODE}`)).body as { spec?: { unschedulable?: boolean } };
  const names = items.map(({ metadata }) => metadata.name).sort();
  told.push(`stayed: ${names.join()}; cordoned: ${node.spec?.unschedulable}`);
  return told;
};

const STARTED = '(started at 2026-01-01T00:00:00Z)';
const LATER = 'After above Pods have been removed from the Node, the following Pods will be evicted: default/db';
const JOB = '* Pod default/job: waiting for completion';
const GOING = 'deletionTimestamp set, but still not removed from the Node';
const BUDGET =
  "cannot evict pod as it would violate the pod's disruption budget. The disruption budget web needs 2 healthy pods and has 2 currently";
const SPENT = BUDGET.replace(/The disruption.*/, 'The disruption budget web does not allow evicting pods currently');

describe.skipIf(!assets)('the drain of a node', () => {
  let real: JudgedCluster;
  let ours: JudgedCluster;
  beforeAll(async () => {
    real = await startRealWorkload(String(assets));
    ours = await startSimulatedWorkload();
  }, LIMIT);
  afterAll(async () => {
    await ours?.stop();
    await real?.stop();
  }, LIMIT);
  afterEach(async () => {
    for (const cluster of [real, ours]) await removeAll(cluster);
  });

  it('follows budgets, rules, labels and volumes, with a kube-apiserver as with a simulated cluster', async () => {
    const theirs = await tell(real);
    const drain = `wait, DrainingNode: Drain not completed yet ${STARTED}:`;
    expect(theirs).toEqual([
      `a budget forbids it: ${drain}\n* Pods default/web-1, default/web-2: ${BUDGET}\n${JOB}\n${LATER}`,
      `one may go: ${drain}\n* Pod default/web-1: ${GOING}\n* Pod default/web-2: ${SPENT}\n${JOB}\n${LATER}`,
      `the other may go: ${drain}\n* Pod default/web-2: ${GOING}\n${JOB}\n${LATER}`,
      `the job is left: ${drain}\n${JOB}\n${LATER}`,
      `the last one: ${drain}\n* Pod default/db: ${GOING}`,
      `its volume is left: wait, WaitingForVolumeDetach: Waiting for Node volumes to be detached ${STARTED}\n* PersistentVolumeClaims: default/data`,
      `nothing is left: done, WaitingForVolumeDetach: Waiting for Node volumes to be detached ${STARTED}\n* PersistentVolumeClaims: default/data`,
      'stayed: agent-x,left; cordoned: true',
    ]);
    expect(await tell(ours)).toEqual(theirs);
  });
});
