/**
 * Users' mistakes about machines: they are refused with upstream's message, or shown in a condition without any loss,
 * and have no effect once they are corrected.
 */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { kinds, type MachineDeployment } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { CONTROL, CORE, INFRASTRUCTURE, makeTestCluster, type TestCluster } from '../../preview/test-cluster.ts';
import { conditionOf } from './test-world.ts';

const DEPLOYMENT = `${CORE}/machinedeployments/quickstart-md-0`;
const CONTROL_PLANE = `${CONTROL}/kubeadmcontrolplanes/quickstart-control-plane`;
const TEMPLATES = `${INFRASTRUCTURE}/awsmachinetemplates`;

let w: TestCluster;
const start = async (): Promise<void> => {
  w = await makeTestCluster();
};

const rolling = (maxSurge: number, maxUnavailable?: number) => ({
  rollout: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } } },
});
const fromTemplate = (name: string) => ({ template: { spec: { infrastructureRef: { name } } } });
const controlPlaneFrom = (name: string) => ({ machineTemplate: { spec: { infrastructureRef: { name } } } });

describe('the API refuses', () => {
  beforeAll(start);
  const healthCheck = (selector: object) => ({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineHealthCheck',
    metadata: { name: 'all' },
    spec: { clusterName: 'quickstart', selector, checks: { nodeStartupTimeoutSeconds: 600 } },
  });
  const CHECKS = `${CORE}/machinehealthchecks`;

  it.each<[mistake: string, method: string, path: string, body: object, message: RegExp]>([
    [
      'a control plane with an even number of machines',
      'PATCH',
      CONTROL_PLANE,
      { spec: { replicas: 4 } },
      /spec\.replicas: Forbidden: cannot be an even number when etcd is stacked/,
    ],
    [
      'a control plane that is scaled to an even number',
      'PATCH',
      `${CONTROL_PLANE}/scale`,
      { spec: { replicas: 2 } },
      /cannot be an even number when etcd is stacked/,
    ],
    [
      'an upgrade over two minors',
      'PATCH',
      CONTROL_PLANE,
      { spec: { version: 'v1.36.0' } },
      /spec\.version: Forbidden: cannot update Kubernetes version from v1\.34\.0 to v1\.36\.0/,
    ],
    [
      'a downgrade',
      'PATCH',
      CONTROL_PLANE,
      { spec: { version: 'v1.33.9' } },
      /spec\.version: Forbidden: cannot update Kubernetes version from v1\.34\.0 to v1\.33\.9/,
    ],
    [
      'no surge for a single machine',
      'PATCH',
      CONTROL_PLANE,
      { spec: { replicas: 1, ...rolling(0) } },
      /replica count needs to be at least 3/,
    ],
    [
      'neither surge nor unavailable machines',
      'PATCH',
      DEPLOYMENT,
      { spec: rolling(0, 0) },
      /maxUnavailable and maxSurge cannot both be 0/,
    ],
    [
      'a selector that does not match',
      'PATCH',
      DEPLOYMENT,
      { spec: { template: { metadata: { labels: { 'cluster.x-k8s.io/deployment-name': 'other' } } } } },
      /spec\.template\.metadata\.labels: Forbidden: must match spec\.selector/,
    ],
    [
      'a health check that selects everything',
      'POST',
      CHECKS,
      healthCheck({}),
      /spec\.selector: Required value: selector must not be empty/,
    ],
    [
      'a health check of another cluster',
      'POST',
      CHECKS,
      healthCheck({ matchLabels: { 'cluster.x-k8s.io/cluster-name': 'other' } }),
      /cannot specify a cluster selector other than the one specified by ClusterName/,
    ],
  ])('%s', async (_, method, path, body, message) => {
    const answer = await w.send(method, path, body);

    expect(answer.code, answer.body.message).toBe(422);
    expect(answer.body.message).toMatch(message);
    expect((await w.pass()).made).toEqual([]);
  });

  it('except that the rollback of an upgrade is allowed while it has not reached all machines', async () => {
    await w.send('PATCH', CONTROL_PLANE, { spec: { version: 'v1.35.0' } });
    await w.settle();
    expect((await w.pass()).made).toHaveLength(1);

    const back = await w.send('PATCH', CONTROL_PLANE, { spec: { version: 'v1.34.0' } });
    expect(back.code, back.body.message).toBe(200);
    await w.carryOut();
    expect((await w.machines()).filter(({ spec }) => spec.version !== 'v1.34.0')).toEqual([]);
  });
});

describe('a missing template', () => {
  beforeEach(start);
  const putBack = async (name: string): Promise<void> => {
    const { body } = await w.send('GET', `${TEMPLATES}/quickstart-control-plane`);
    expect((await w.send('POST', TEMPLATES, { ...body, metadata: { name } })).code).toBe(201);
  };

  it('leaves a deployment unchanged, and the rollout continues once the template exists', async () => {
    await w.send('PATCH', DEPLOYMENT, { spec: { ...rolling(0, 2), ...fromTemplate('gone') } });
    expect(await w.carryOut()).toEqual([]);

    const { body } = await w.send('GET', DEPLOYMENT);
    expect(conditionOf(body, 'RollingOut')).toMatchObject({
      status: 'True',
      message: expect.stringContaining('AWSMachineTemplate default/gone does not exist'),
    });
    await putBack('gone');
    expect((await w.carryOut()).flatMap(({ gone }) => gone)).toHaveLength(3);
    expect(conditionOf((await w.send('GET', DEPLOYMENT)).body, 'RollingOut')?.status).toBe('False');
  });

  it('leaves a control plane unchanged, even if a machine would be deleted first', async () => {
    await w.send('PATCH', CONTROL_PLANE, { spec: { ...rolling(0), ...controlPlaneFrom('gone') } });
    expect(await w.carryOut()).toEqual([]);

    const { body } = await w.send('GET', CONTROL_PLANE);
    expect(conditionOf(body, 'RollingOut')).toMatchObject({
      status: 'True',
      message: expect.stringContaining('AWSMachineTemplate default/gone does not exist'),
    });
    await putBack('gone');
    expect((await w.carryOut()).flatMap(({ gone }) => gone)).toHaveLength(3);
  });

  it('that was deleted is reported when machines are needed, and no machine is deleted', async () => {
    await w.send('DELETE', `${TEMPLATES}/quickstart-md-0`);
    await w.send('PATCH', DEPLOYMENT, { spec: { replicas: 4 } });
    expect(await w.carryOut()).toEqual([]);
    expect(conditionOf((await w.send('GET', DEPLOYMENT)).body, 'ScalingUp')?.message).toContain(
      'AWSMachineTemplate default/quickstart-md-0 does not exist',
    );

    await putBack('quickstart-md-0');
    expect(await w.carryOut()).toMatchObject([{ made: { length: 1 }, gone: [] }]);
  });
});

describe('a new deployment without its template', () => {
  beforeEach(start);

  it('reports the missing template, and creates its machines once the template exists', async () => {
    const { status: _, ...copy } = (await w.send('GET', DEPLOYMENT)).body as MachineDeployment;
    const own = { 'cluster.x-k8s.io/deployment-name': 'late' };
    copy.spec.selector.matchLabels = own;
    copy.spec.template.metadata = { labels: own };
    copy.spec.template.spec.infrastructureRef.name = 'late';
    await w.send('POST', `${CORE}/machinedeployments`, { ...copy, metadata: { name: 'late' } } as KubeObject);
    expect(await w.carryOut()).toEqual([]);
    const { body } = await w.send('GET', `${CORE}/machinedeployments/late`);
    expect(conditionOf(body, 'ScalingUp')?.message).toContain('AWSMachineTemplate default/late does not exist');

    const { body: template } = await w.send('GET', `${TEMPLATES}/quickstart-md-0`);
    await w.send('POST', TEMPLATES, { ...template, metadata: { name: 'late' } });
    expect(await w.carryOut()).toMatchObject([{ made: { length: 3 }, gone: [] }]);
  });
});

describe('a rollout whose machines do not become ready', () => {
  beforeEach(start);
  it('remains visible, and keeps the promised number of healthy machines', async () => {
    const { body } = await w.send('GET', `${TEMPLATES}/quickstart-md-0`);
    await w.send('POST', TEMPLATES, { ...body, metadata: { name: 'broken' } });
    w.neverJoining.add('broken');
    await w.send('PATCH', DEPLOYMENT, { spec: { replicas: 1 } });
    await w.carryOut();
    const [last] = (await w.machines()).filter(({ metadata }) => metadata.name.includes('-md-'));

    await w.send('PATCH', DEPLOYMENT, { spec: fromTemplate('broken') });
    expect(await w.carryOut()).toMatchObject([{ made: { length: 1 }, gone: [] }]);
    expect((await w.machines()).map(({ metadata }) => metadata.uid)).toContain(last?.metadata.uid);
    expect(conditionOf((await w.send('GET', DEPLOYMENT)).body, 'RollingOut')).toMatchObject({
      status: 'True',
      message: expect.stringContaining('Rolling out 1 not up-to-date replicas'),
    });
  });

  it('stops after the first machine of a control plane', async () => {
    const { body } = await w.send('GET', `${TEMPLATES}/quickstart-control-plane`);
    await w.send('POST', TEMPLATES, { ...body, metadata: { name: 'broken' } });
    w.neverJoining.add('broken');
    await w.send('PATCH', CONTROL_PLANE, { spec: controlPlaneFrom('broken') });

    expect(await w.carryOut()).toMatchObject([{ made: { length: 1 }, gone: [] }]);
    expect(conditionOf((await w.send('GET', CONTROL_PLANE)).body, 'RollingOut')?.message).toContain(
      'does not have a corresponding Node yet',
    );
  });
});

it('creates machines even if one of their labels names another deployment', async () => {
  await start();
  const { status: _, ...copy } = (await w.send('GET', DEPLOYMENT)).body as MachineDeployment;
  const answer = await w.send('POST', `${CORE}/machinedeployments`, {
    ...copy,
    metadata: { name: 'copy' },
  } as KubeObject);

  expect(answer.code).toBe(201);
  expect(await w.carryOut()).toMatchObject([{ made: { length: 3 }, gone: [] }]);
  const sets = await w.objects.list(kinds.machineSet, 'default');
  expect(sets.map(({ metadata }) => metadata.labels?.['cluster.x-k8s.io/deployment-name']).sort()).toEqual([
    'copy',
    'quickstart-md-0',
  ]);
});
