/**
 * Tests Cluster API's unmodified development provider as the infrastructure of clusters whose core, bootstrap and
 * control plane are Windlass's. Its manager watches the laptop's API and keeps its resources in memory. Its webhooks
 * are not served, so its definitions have only their stored version.
 */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { end, lastLines } from '../../../infra/cli/conformance/processes.ts';
import { installDefinitions } from '../../../infra/cli/conformance/upstream/definitions.ts';
import { readDevDefinitions } from '../../../infra/cli/conformance/upstream/modules.ts';
import { startInfrastructure } from '../../../infra/cli/conformance/upstream/upstream.ts';
import { kubeconfigText } from '../../../infra/cli/kubeconfig/kubeconfig.ts';
import type { Machine } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { CORE, conditionOf, INFRASTRUCTURE, startTestLaptop, type TestLaptop } from '../../end-to-end/laptop.ts';
import { createCluster } from '../conditions/clusters.ts';

const programs = process.env.WINDLASS_MANAGERS;
const NAME = 'healthy';
const KINDS = ['devclusters', 'devmachines', 'devmachinetemplates'];
/** The in-memory API server does not support server-side apply, which add-ons need. */
const ADD_ONS = ['ClusterResourceSet', 'ConfigMap'];
const MERGE = 'application/merge-patch+json';

const home = mkdtempSync(join(tmpdir(), 'windlass-outside-'));
/**
 * The provider must not reconcile two machines at the same time, because they would become members of two separate etcd
 * clusters. Upstream's control plane creates its machines one after the other.
 */
const IN_TURN = { flags: { infrastructure: ['--devmachine-concurrency=1'] } };

let laptop: TestLaptop;
let manager: ChildProcess | undefined;

const devMachines = () => laptop.list<KubeObject>(`${INFRASTRUCTURE}/devmachines`);
const isRunning = ({ status }: Machine) => status?.phase === 'Running';

/** Waits until this many machines exist and all of them are ready. Returns the machines. */
const untilMachines = async (count: number): Promise<Machine[]> => {
  let machines: Machine[] = [];
  const isReady = (machine: Machine) => isRunning(machine) && conditionOf(machine, 'Ready')?.status === 'True';
  try {
    return await laptop.until(`${count} machines are ready`, async () => {
      machines = await laptop.machines(NAME);
      return machines.length === count && machines.every(isReady) && machines;
    });
  } catch (error) {
    const lacking = machines.filter((machine) => !isReady(machine)).map(({ metadata, status }) => [metadata, status]);
    const said = [`${machines.length} machines`, JSON.stringify(lacking), lastLines(home, 'infrastructure')];
    throw new Error(said.join('\n'), { cause: error });
  }
};

const scale = (replicas: number) =>
  laptop.api.send('PATCH', `${CORE}/machinedeployments/${NAME}-md-0`, { spec: { replicas } }, MERGE);

// The tests run in order.
describe.skipIf(!programs)("Cluster API's development provider", { timeout: LIMIT }, () => {
  beforeAll(async () => {
    laptop = await startTestLaptop();
    const kubeconfig = join(home, 'kubeconfig');
    writeFileSync(kubeconfig, kubeconfigText(laptop.access), { mode: 0o600 });
    await installDefinitions(laptop.api, readDevDefinitions());
    manager = await startInfrastructure({ home, programs: programs ?? '', kubeconfig, options: IN_TURN });
    await createCluster(laptop.api, 'Dev', ADD_ONS);
  }, LIMIT);
  afterAll(async () => {
    if (manager) await end(manager);
    await laptop?.stop();
    rmSync(home, { recursive: true, force: true });
  }, LIMIT);

  it('creates the machines of a cluster', async () => {
    const machines = await untilMachines(5);
    const cluster = await laptop.until('the cluster is available', async () => {
      const found = await laptop.cluster(NAME);
      return conditionOf(found, 'Available')?.status === 'True' && found;
    });

    expect(cluster.status?.initialization).toEqual({ infrastructureProvisioned: true, controlPlaneInitialized: true });
    expect(cluster.spec.controlPlaneEndpoint?.host).toBe('127.0.0.1');
    expect(machines.map(({ spec }) => spec.providerID).sort()).toEqual(
      machines.map(({ metadata }) => `in-memory://${metadata.name}`).sort(),
    );
    const nodes = await (await laptop.workload(NAME)).listNode();
    expect(nodes.items.map(({ metadata }) => metadata?.name).sort()).toEqual(
      machines.map(({ status }) => status?.nodeRef?.name).sort(),
    );
  });

  it('creates further machines, and deletes removed ones', async () => {
    await scale(4);
    await untilMachines(7);
    await scale(1);
    const machines = await untilMachines(4);

    await laptop.until('the infrastructure of the others is gone', async () => (await devMachines()).length === 4);
    const nodes = await (await laptop.workload(NAME)).listNode();
    expect(nodes.items).toHaveLength(4);
    expect((await devMachines()).map(({ metadata }) => metadata.name).sort()).toEqual(
      machines.map(({ spec }) => spec.infrastructureRef.name).sort(),
    );
  });

  it('leaves nothing of a deleted cluster', async () => {
    await laptop.api.send('DELETE', `${CORE}/clusters/${NAME}`);
    await laptop.until('the cluster is gone', async () => (await laptop.cluster(NAME)) === undefined);

    for (const kind of KINDS) expect(await laptop.list(`${INFRASTRUCTURE}/${kind}`), kind).toEqual([]);
    expect(await laptop.machines(NAME)).toEqual([]);
    const secrets = await laptop.list<KubeObject>('/api/v1/namespaces/default/secrets');
    expect(secrets.filter(({ metadata }) => metadata.name.startsWith(NAME))).toEqual([]);
  });
});
