/**
 * Tests Cluster API's unmodified kubeadm bootstrap and control plane managers, with Windlass as the core and the
 * development provider as the infrastructure. Their webhooks are not called.
 */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { end } from '../../../infra/cli/conformance/processes.ts';
import { installDefinitions } from '../../../infra/cli/conformance/upstream/definitions.ts';
import { readDevDefinitions } from '../../../infra/cli/conformance/upstream/modules.ts';
import { startInfrastructure, startManagers } from '../../../infra/cli/conformance/upstream/upstream.ts';
import { kubeconfigText } from '../../../infra/cli/kubeconfig/kubeconfig.ts';
import type { Machine } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import {
  CONTROL_PLANE,
  CORE,
  conditionOf,
  INFRASTRUCTURE,
  startTestLaptop,
  type TestLaptop,
} from '../../end-to-end/laptop.ts';
import { createCluster } from '../conditions/clusters.ts';

const programs = process.env.WINDLASS_MANAGERS ?? '';
const NAME = 'healthy';
const MERGE = 'application/merge-patch+json';
const OUTSIDE = { 'windlass.dev/reconciled-outside': 'Bootstrap,ControlPlane' };

const home = mkdtempSync(join(tmpdir(), 'windlass-managers-'));
const children: ChildProcess[] = [];
let laptop: TestLaptop;

const untilMachines = async (count: number): Promise<Machine[]> => {
  let machines: Machine[] = [];
  try {
    return await laptop.until(`${count} machines run`, async () => {
      machines = await laptop.machines(NAME);
      return machines.length === count && machines.every(({ status }) => status?.phase === 'Running') && machines;
    });
  } catch (error) {
    throw new Error(JSON.stringify(machines.map(({ metadata, status }) => [metadata.name, status])), { cause: error });
  }
};

// The tests run in order.
describe.skipIf(!programs)("Cluster API's own managers", { timeout: LIMIT }, () => {
  beforeAll(async () => {
    laptop = await startTestLaptop();
    const kubeconfig = join(home, 'kubeconfig');
    writeFileSync(kubeconfig, kubeconfigText(laptop.access), { mode: 0o600 });
    await installDefinitions(laptop.api, readDevDefinitions());
    const place = { home, programs, kubeconfig };
    children.push(await startInfrastructure({ ...place, options: {} }));
    children.push(...(await startManagers(['bootstrap', 'control-plane'], place)));
    await createCluster(laptop.api, 'Dev', ['ClusterResourceSet', 'ConfigMap'], (object) =>
      object.kind === 'Cluster' ? { ...object, metadata: { ...object.metadata, annotations: OUTSIDE } } : object,
    );
  }, LIMIT);
  afterAll(async () => {
    await Promise.all(children.map(end));
    await laptop?.stop();
    rmSync(home, { recursive: true, force: true });
  }, LIMIT);

  it('create the bootstrap data and the control plane of a cluster', async () => {
    const machines = await untilMachines(5);
    await laptop.until(
      'the cluster is available',
      async () => conditionOf(await laptop.cluster(NAME), 'Available')?.status === 'True',
    );
    for (const { spec } of machines) {
      const path = `/api/v1/namespaces/default/secrets/${spec.bootstrap.dataSecretName}`;
      const { metadata } = (await laptop.get<KubeObject>(path)) as KubeObject;
      expect(metadata.managedFields?.map(({ manager }) => manager)).not.toContain('windlass');
    }
  });

  it('change the number of control plane machines', async () => {
    await laptop.api.send(
      'PATCH',
      `${CONTROL_PLANE}/kubeadmcontrolplanes/${NAME}-control-plane`,
      { spec: { replicas: 1 } },
      MERGE,
    );
    await untilMachines(3);
  });

  it('leave nothing of a deleted cluster', async () => {
    await laptop.api.send('DELETE', `${CORE}/clusters/${NAME}`);
    await laptop.until('the cluster is gone', async () => (await laptop.cluster(NAME)) === undefined);
    for (const kind of ['devclusters', 'devmachines', 'devmachinetemplates'])
      expect(await laptop.list(`${INFRASTRUCTURE}/${kind}`), kind).toEqual([]);
    expect(await laptop.list(`${CONTROL_PLANE}/kubeadmcontrolplanes`)).toEqual([]);
  });
});
