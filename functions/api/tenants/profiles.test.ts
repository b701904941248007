/** The instance profiles that an editor of a namespace may give to machines. */
import { beforeEach, describe, expect, it } from 'vitest';
import { binding, createTestApi, RBAC, user } from '../test-api.ts';

const GROUP = 'infrastructure.cluster.x-k8s.io/v1beta2';
const PATH = `/apis/${GROUP}/namespaces/default`;
const NODES = 'nodes.cluster-api-provider-aws.sigs.k8s.io';
const CONTROLLERS = 'controllers.cluster-api-provider-aws.sigs.k8s.io';

const awsMachine = (iamInstanceProfile?: string) => ({
  apiVersion: GROUP,
  kind: 'AWSMachine',
  metadata: { name: 'w-1' },
  spec: { instanceType: 't3.large', ...(iamInstanceProfile ? { iamInstanceProfile } : {}) },
});
const template = (iamInstanceProfile: string) => ({
  apiVersion: GROUP,
  kind: 'AWSMachineTemplate',
  metadata: { name: 't' },
  spec: { template: { spec: awsMachine(iamInstanceProfile).spec } },
});

describe('an instance profile', () => {
  let api: ReturnType<typeof createTestApi>;
  let editor: ReturnType<typeof api.user>;
  beforeEach(async () => {
    api = createTestApi();
    editor = api.user('Mallory');
    await api.admin.ask('POST', `${RBAC}/namespaces/default/rolebindings`, binding('m', user('Mallory'), 'edit'));
  });
  const narrow = (profiles: string, as = api.admin) =>
    as.ask('PATCH', '/api/v1/namespaces/default', {
      metadata: { annotations: { 'windlass.dev/instance-profiles': profiles } },
    });

  it.each([
    ['awsmachines', awsMachine(CONTROLLERS), 'spec.iamInstanceProfile'],
    ['awsmachines', awsMachine('OrganizationAccountAccessRole'), 'spec.iamInstanceProfile'],
    ['awsmachinetemplates', template(CONTROLLERS), 'spec.template.spec.iamInstanceProfile'],
  ])('is refused with the path of its field if the installation does not list it: %s', async (plural, body, field) => {
    const answer = await editor.ask('POST', `${PATH}/${plural}`, body);

    expect(answer.code).toBe(403);
    expect(answer.body.message).toContain(`${field}: instance profile`);
    expect(answer.body.message).toContain('the setting instanceProfiles');
  });

  it('can be used by anyone if the installation lists it', async () => {
    expect((await editor.ask('POST', `${PATH}/awsmachines`, awsMachine(NODES))).code).toBe(201);
    expect((await editor.ask('POST', `${PATH}/awsmachinetemplates`, template(NODES))).code).toBe(201);
  });

  it('cannot be used in a namespace to which an administrator has assigned others', async () => {
    expect((await narrow('control-plane.cluster-api-provider-aws.sigs.k8s.io')).code).toBe(200);

    const answer = await editor.ask('POST', `${PATH}/awsmachines`, awsMachine(NODES));

    expect([answer.code, answer.body.message]).toEqual([403, expect.stringContaining('spec.iamInstanceProfile')]);
  });

  it('cannot be assigned to a namespace by an editor of the namespace', async () => {
    expect((await narrow(CONTROLLERS, editor)).code).toBe(403);
  });

  it('cannot be used even in a namespace to which it is assigned if the installation does not list it', async () => {
    expect((await narrow(CONTROLLERS)).code).toBe(200);

    expect((await editor.ask('POST', `${PATH}/awsmachines`, awsMachine(CONTROLLERS))).code).toBe(403);
  });

  it('does not keep a machine from being deleted by an editor after it was withdrawn', async () => {
    expect((await editor.ask('POST', `${PATH}/awsmachines`, awsMachine(NODES))).code).toBe(201);
    expect((await narrow('control-plane.cluster-api-provider-aws.sigs.k8s.io')).code).toBe(200);

    expect((await editor.ask('DELETE', `${PATH}/awsmachines/w-1`)).code).toBe(200);
  });

  it('can be recorded for an existing instance by a user with the verb adopt', async () => {
    expect((await api.admin.ask('POST', `${PATH}/awsmachines`, awsMachine(CONTROLLERS))).code).toBe(201);
  });
});
