import { beforeEach, describe, expect, it } from 'vitest';
import type { Machine } from '../../../shared/kinds/index.ts';
import { CRDS } from '../../api/custom/test-widgets.ts';
import { createTestApi } from '../../api/test-api.ts';
import { condition, makeHealthWorld, nodeOf } from './test-health.ts';

describe('a MachineHealthCheck with a template of an external controller', () => {
  let w: Awaited<ReturnType<typeof makeHealthWorld>>;
  const templateRef = { apiVersion: 'example.com/v1', kind: 'RebootTemplate', name: 'reboot' };
  const PATH = '/apis/example.com/v1/namespaces/default';
  const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const define = (kind: string) => {
    const plural = `${kind.toLowerCase()}s`;
    const schema = { openAPIV3Schema: { type: 'object', properties: { spec: free, status: free } } };
    return {
      ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
      metadata: { name: `${plural}.example.com`, labels: { 'cluster.x-k8s.io/v1beta2': 'v1' } },
      spec: {
        ...{ group: 'example.com', scope: 'Namespaced', names: { kind, plural } },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    };
  };
  let api: ReturnType<typeof createTestApi>['admin'];
  const defineKinds = async () => {
    for (const kind of ['Reboot', 'RebootTemplate']) expect((await api.ask('POST', CRDS, define(kind))).code).toBe(201);
  };
  const makeTemplate = async () => {
    const metadata = { name: 'reboot' };
    const spec = { template: { metadata: { labels: { how: 'hard' } }, spec: { times: 2 } } };
    const object = { apiVersion: 'example.com/v1', kind: 'RebootTemplate', metadata, spec };
    expect((await api.ask('POST', `${PATH}/reboottemplates`, object)).code).toBe(201);
  };
  const request = () => api.ask('GET', `${PATH}/reboots/a`);
  const fail = async () => {
    w.nodes.set('a', nodeOf('a', 'Unknown'));
    await w.look();
  };

  beforeEach(async () => {
    w = await makeHealthWorld({ templateRef });
    api = createTestApi(w.storage).admin;
  });

  it('reports a missing template, and does not let the owner remediate instead', async () => {
    await fail();
    expect(await w.condition('a', 'ExternallyRemediated')).toMatchObject({
      status: 'False',
      reason: 'RemediationTemplateNotFound',
      message: 'Error retrieving remediation template RebootTemplate default/reboot',
    });
    expect(await w.condition('a', 'OwnerRemediated')).toBeUndefined();
  });

  it('creates a request, and deletes it when the machine is healthy again', async () => {
    await defineKinds();
    await makeTemplate();
    await fail();

    expect(await w.condition('a', 'ExternallyRemediated')).toMatchObject({ reason: 'WaitingForRemediation' });
    const { body } = await request();
    expect(body).toMatchObject({
      spec: { times: 2 },
      metadata: {
        labels: { how: 'hard', 'cluster.x-k8s.io/cluster-name': 'red' },
        annotations: {
          'cluster.x-k8s.io/cloned-from-name': 'reboot',
          'cluster.x-k8s.io/cloned-from-groupkind': 'RebootTemplate.example.com',
        },
        ownerReferences: [{ kind: 'Machine', name: 'a' }],
      },
    });
    expect((await api.ask('GET', `${PATH}/reboots`)).body.items).toHaveLength(1);

    w.nodes.set('a', nodeOf('a', 'True'));
    await w.look();
    expect((await request()).code).toBe(404);
  });

  it('keeps the condition that the controller sets during remediation', async () => {
    await defineKinds();
    await makeTemplate();
    await fail();
    const said = { ...condition('ExternallyRemediated', 'False'), reason: 'Rebooting', message: 'once' };
    await w.change('a', (machine) => ({
      ...machine,
      status: {
        ...machine.status,
        conditions: [...(machine.status?.conditions ?? []).filter(({ type }) => type !== said.type), said],
      } as Machine['status'],
    }));
    await w.look();
    expect(await w.condition('a', 'ExternallyRemediated')).toMatchObject({ reason: 'Rebooting', message: 'once' });
  });

  it('does not use an object of the same name as its request', async () => {
    await defineKinds();
    await makeTemplate();
    const other = { apiVersion: 'example.com/v1', kind: 'Reboot', metadata: { name: 'a' }, spec: {} };
    expect((await api.ask('POST', `${PATH}/reboots`, other)).code).toBe(201);
    await fail();
    expect(await w.condition('a', 'ExternallyRemediated')).toMatchObject({
      reason: 'RemediationRequestCreationFailed',
      message: 'Reboot a does not belong to this Machine',
    });
    w.nodes.set('a', nodeOf('a', 'True'));
    await w.look();
    expect((await request()).code).toBe(200);
  });
});
