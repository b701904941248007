import { describe, expect, it } from 'vitest';
import type { AuditRecord } from '../../../shared/kube-api/server/audit.ts';
import { createMemoryStorage } from '../../../shared/kube-api/storage/memory-storage.ts';
import type { Storage } from '../../../shared/kube-api/storage/storage.ts';
import { CRDS, definition, version, WIDGETS, widget } from '../custom/test-widgets.ts';
import { ARN, createTestApi } from '../test-api.ts';

const REGISTRATION = '/apis/admissionregistration.k8s.io/v1';
const POLICIES = `${REGISTRATION}/validatingadmissionpolicies`;
const BINDINGS = `${REGISTRATION}/validatingadmissionpolicybindings`;
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

const RULE = { apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], operations: ['CREATE', 'UPDATE', 'DELETE'] };

const policy = (spec: object, rule: object = {}) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: 'policy' },
  spec: { matchConstraints: { resourceRules: [{ ...RULE, ...rule }] }, ...spec },
});

const binding = (spec: object = {}) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: 'binding' },
  spec: { policyName: 'policy', validationActions: ['Deny'], ...spec },
});

const setUp = async (spec: object, bound: object = {}, rule: object = {}, storage: Storage = createMemoryStorage()) => {
  const api = createTestApi(storage);
  const { ask, send } = api.admin;
  await ask('POST', CRDS, definition('widgets', 'Widget', {}, [version('v1')]));
  expect(await ask('POST', POLICIES, policy(spec, rule))).toMatchObject({ code: 201 });
  expect(await ask('POST', BINDINGS, binding(bound))).toMatchObject({ code: 201 });
  return { ...api, ask, send };
};

const SMALL = {
  validations: [{ expression: 'object.spec.size < 5', messageExpression: '"has " + string(object.spec.size)' }],
};
const BIG = { color: 'red', size: 7 };

describe('an admission policy', () => {
  it('denies only requests that violate it, with its own message and reason', async () => {
    const { ask } = await setUp(SMALL, {}, { resources: ['widgets'] });
    expect(await ask('POST', WIDGETS, widget('one'))).toMatchObject({ code: 201 });
    expect(await ask('POST', WIDGETS, widget('two', BIG))).toMatchObject({
      code: 422,
      body: {
        reason: 'Invalid',
        message:
          "widgets.example.com \"two\" is forbidden: ValidatingAdmissionPolicy 'policy' with binding 'binding' denied request: has 7",
      },
    });
    expect(await ask('GET', `${WIDGETS}/two`)).toMatchObject({ code: 404 });
    expect(await ask('POST', CONFIG_MAPS, { metadata: { name: 'one' } })).toMatchObject({ code: 201 });
  });

  it('applies to the kinds of Windlass, and never to admission configurations', async () => {
    const { ask } = await setUp({ validations: [{ expression: 'false', reason: 'Forbidden' }] });
    expect(await ask('POST', CONFIG_MAPS, { metadata: { name: 'one' } })).toMatchObject({ code: 403 });
    expect(await ask('DELETE', `${BINDINGS}/binding`)).toMatchObject({ code: 200 });
    expect(await ask('POST', CONFIG_MAPS, { metadata: { name: 'one' } })).toMatchObject({ code: 201 });
  });

  it('denies nothing if its binding only warns or audits', async () => {
    const storage = createMemoryStorage();
    const { send } = await setUp(SMALL, { validationActions: ['Warn', 'Audit'] }, { resources: ['widgets'] }, storage);
    const response = await send('POST', WIDGETS, widget('two', BIG));
    expect(response.status).toBe(201);
    expect(response.headers.get('warning')).toBe(
      `299 - "Validation failed for ValidatingAdmissionPolicy 'policy' with binding 'binding': has 7"`,
    );
  });

  it('adds its annotations and its failures to the audit record', async () => {
    const annotation = { key: 'size', valueExpression: '"size " + string(object.spec.size)' };
    const spec = { ...SMALL, auditAnnotations: [annotation] };
    const { another } = await setUp(spec, { validationActions: ['Audit'] }, { resources: ['widgets'] });
    const records: AuditRecord[] = [];
    const request = new Request(`https://api${WIDGETS}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(widget('two', BIG)),
    });
    const user = { name: ARN('WindlassAdmin'), groups: ['system:masters', 'system:authenticated'] };
    await another()(request, user, '', (record) => void records.push(record));
    const annotations = records[0]?.annotations ?? {};
    expect(annotations['policy/size']).toBe('size 7');
    expect(JSON.parse(annotations['validation.policy.admission.k8s.io/validation_failure'] ?? '')).toEqual([
      { message: 'has 7', policy: 'policy', binding: 'binding', expressionIndex: 0, validationActions: ['Audit'] },
    ]);
  });

  it('denies what it cannot evaluate, unless its failures are ignored', async () => {
    const spec = { validations: [{ expression: 'object.spec.none == 1' }] };
    const { ask } = await setUp(spec, {}, { resources: ['widgets'] });
    const { body } = await ask('POST', WIDGETS, widget('one'));
    expect(body.message).toContain("expression 'object.spec.none == 1' resulted in error: no such key: none");
    await ask('PATCH', `${POLICIES}/policy`, { spec: { failurePolicy: 'Ignore' } });
    expect(await ask('POST', WIDGETS, widget('one'))).toMatchObject({ code: 201 });
  });

  it('denies a request if its expression exceeds the cost limit', async () => {
    const loop = '[0,1,2,3,4,5,6,7,8,9]';
    const expression = `${loop}.all(a, ${loop}.all(b, ${loop}.all(c, ${loop}.all(d, ${loop}.all(e, ${loop}.all(f, a + b + c + d + e + f >= 0))))))`;
    const { ask } = await setUp({ validations: [{ expression }] }, {}, { resources: ['widgets'] });
    const { code, body } = await ask('POST', WIDGETS, widget('one'));
    expect(code).toBe(422);
    expect(body.message).toMatch(/actual cost limit exceeded|running out of cost budget/);
  });

  it('reads parameters of any kind, and denies the request if there are none', async () => {
    const spec = {
      paramKind: { apiVersion: 'example.com/v1', kind: 'Widget' },
      validations: [{ expression: 'int(object.data.most) <= params.spec.size', message: 'too much' }],
    };
    const bound = { paramRef: { name: 'limits', parameterNotFoundAction: 'Deny' } };
    const { ask } = await setUp(spec, bound, { resources: ['configmaps'] });
    const write = (most: string) =>
      ask('POST', `${CONFIG_MAPS}?dryRun=All`, { metadata: { name: 'one' }, data: { most } });
    expect((await write('1')).body.message).toContain('no params found for policy binding');
    await ask('POST', WIDGETS, widget('limits', { color: 'red', size: 5 }));
    expect(await write('5')).toMatchObject({ code: 201 });
    expect((await write('6')).body.message).toContain('too much');
  });

  it('has access to the namespace of a request', async () => {
    const spec = { validations: [{ expression: 'namespaceObject.metadata.name != "default"' }] };
    const { ask } = await setUp(spec, {}, { resources: ['configmaps'] });
    expect(await ask('POST', CONFIG_MAPS, { metadata: { name: 'one' } })).toMatchObject({ code: 422 });
  });

  it('is not evaluated for other resource names than those of its rule', async () => {
    const rule = { resources: ['configmaps'], resourceNames: ['one'] };
    const { ask } = await setUp({ validations: [{ expression: 'false' }] }, {}, rule);
    expect(await ask('POST', CONFIG_MAPS, { metadata: { name: 'one' } })).toMatchObject({ code: 422 });
    expect(await ask('POST', CONFIG_MAPS, { metadata: { name: 'two' } })).toMatchObject({ code: 201 });
  });

  it('is refused if it uses the authorizer, and the message says so', async () => {
    const { admin, user } = createTestApi();
    const validations = [{ expression: 'authorizer.group("").resource("pods").check("get").allowed()' }];
    const refused = await admin.ask('POST', POLICIES, policy({ validations }));
    expect(refused).toMatchObject({ code: 422 });
    expect(refused.body.message).toContain('the variable authorizer is not supported by this server');
    expect(await user('tenant').ask('POST', POLICIES, policy(SMALL))).toMatchObject({ code: 403 });
  });

  it('costs writes only two small reads in ten seconds if there is none', async () => {
    const storage = createMemoryStorage();
    const asked: string[] = [];
    const counted: Storage = {
      ...storage,
      latestVersion: (resource) => {
        if (resource.plural.startsWith('validatingadmissionpolic')) asked.push(resource.plural);
        return storage.latestVersion(resource);
      },
    };
    const { admin, wait } = createTestApi(counted);
    for (const name of ['a', 'b', 'c']) await admin.ask('POST', CONFIG_MAPS, { metadata: { name } });
    expect(asked).toEqual(['validatingadmissionpolicies', 'validatingadmissionpolicybindings']);
    wait(11_000);
    await admin.ask('POST', CONFIG_MAPS, { metadata: { name: 'd' } });
    expect(asked).toHaveLength(4);
  });
});
