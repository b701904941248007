import { describe, expect, it } from 'vitest';
import { createTestServer } from '../server/test-server.ts';
import { decodeProtobuf } from './decode.ts';
import { messageType } from './messages.ts';

const encode = (kind: string, value: object): Uint8Array => {
  const bytes = (name: string, content: object): Uint8Array => {
    const type = messageType(name);
    if (!type) throw new Error(`no message ${name}`);
    return type.encode(type.fromObject(content)).finish();
  };
  const envelope = bytes('Unknown', { typeMeta: { apiVersion: 'v1', kind }, raw: bytes(kind, value) });
  return Buffer.concat([Buffer.from('k8s\0'), envelope]);
};

describe('protobuf bodies', () => {
  it('decode to what the client would have sent as JSON', () => {
    const secret = {
      metadata: { name: 's', namespace: '', labels: { a: '' }, creationTimestamp: {}, finalizers: ['a/b'] },
      data: { password: Buffer.from('geheim') },
      type: 'Opaque',
    };
    expect(decodeProtobuf(encode('Secret', secret))).toEqual({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's', labels: { a: '' }, finalizers: ['a/b'] },
      data: { password: 'Z2VoZWlt' },
      type: 'Opaque',
    });
  });

  it('may contain times, counts and references', () => {
    const event = {
      metadata: { name: 'e' },
      involvedObject: { kind: 'Machine', name: 'm' },
      lastTimestamp: { seconds: 1_767_323_045 },
      eventTime: { seconds: 1_767_323_045, nanos: 120_000_000 },
      count: 3,
    };
    expect(decodeProtobuf(encode('Event', event))).toMatchObject({
      involvedObject: { kind: 'Machine', name: 'm' },
      lastTimestamp: '2026-01-02T03:04:05Z',
      eventTime: '2026-01-02T03:04:05.120000Z',
      count: 3,
    });
    const options = { preconditions: { uid: 'u' }, propagationPolicy: 'Background', dryRun: ['All'] };
    expect(decodeProtobuf(encode('DeleteOptions', options))).toMatchObject(options);
  });

  it('may contain admission configurations, whose rules are inlined in JSON', () => {
    const rule = { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], scope: 'Namespaced' };
    const webhook = {
      name: 'a.b.c',
      clientConfig: { url: 'https://a', caBundle: Buffer.from('ca') },
      rules: [{ operations: ['CREATE'], rule }],
      objectSelector: {},
      matchConditions: [{ name: 'x', expression: 'true' }],
    };
    const decoded = {
      ...webhook,
      clientConfig: { url: 'https://a', caBundle: 'Y2E=' },
      rules: [{ operations: ['CREATE'], ...rule }],
    };
    for (const kind of ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration']) {
      expect(decodeProtobuf(encode(kind, { webhooks: [webhook] }))).toMatchObject({ webhooks: [decoded] });
    }
    const ruleWithOperations = { operations: ['*'], rule };
    const spec = {
      matchConstraints: { resourceRules: [{ resourceNames: ['a'], ruleWithOperations }] },
      validations: [{ expression: 'true', message: 'no' }],
      variables: [{ name: 'v', expression: '1' }],
    };
    expect(decodeProtobuf(encode('ValidatingAdmissionPolicy', { spec }))).toMatchObject({
      spec: { ...spec, matchConstraints: { resourceRules: [{ resourceNames: ['a'], operations: ['*'], ...rule }] } },
    });
    const binding = { spec: { policyName: 'p', validationActions: ['Deny'], paramRef: { selector: {} } } };
    expect(decodeProtobuf(encode('ValidatingAdmissionPolicyBinding', binding))).toMatchObject(binding);
  });

  it('may contain the conditions of namespaces and the scopes of quotas', () => {
    const condition = { type: 'A', status: 'True', lastTransitionTime: { seconds: 1_767_323_045 } };
    expect(decodeProtobuf(encode('Namespace', { status: { conditions: [condition] } }))).toMatchObject({
      status: { conditions: [{ ...condition, lastTransitionTime: '2026-01-02T03:04:05Z' }] },
    });
    const matchExpressions = [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }];
    const quota = { spec: { scopeSelector: { matchExpressions } } };
    expect(decodeProtobuf(encode('ResourceQuota', quota))).toMatchObject(quota);
  });

  it('are decoded from the bytes that kubectl 1.32 sends', () => {
    // The encoded fields of `kubectl create configmap c --from-literal=a=b`.
    const meta = [0x0a, 0x01, 0x63, 0x12, 0x00, 0x1a, 0x00, 0x22, 0x00, 0x2a, 0x00, 0x32, 0x00, 0x38, 0x00, 0x42, 0x00];
    const map = [0x0a, meta.length, ...meta, 0x12, 0x06, 0x0a, 0x01, 0x61, 0x12, 0x01, 0x62];
    const type = [0x0a, 0x02, 0x76, 0x31, 0x12, 0x09, ...Buffer.from('ConfigMap')];
    const body = [
      ...Buffer.from('k8s\0'),
      0x0a,
      type.length,
      ...type,
      0x12,
      map.length,
      ...map,
      0x1a,
      0x00,
      0x22,
      0x00,
    ];
    expect(decodeProtobuf(Uint8Array.from(body))).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'c', generation: 0 },
      data: { a: 'b' },
    });
  });

  it('are refused if they are malformed, or of an unknown kind', () => {
    expect(() => decodeProtobuf(Buffer.from('{"a":1}'))).toThrow('not in the Kubernetes protobuf encoding');
    expect(() => decodeProtobuf(Buffer.from('k8s\0\xff\xff', 'latin1'))).toThrow('the protobuf body cannot be read');
    const type = messageType('Unknown');
    const pod = type?.encode(type.fromObject({ typeMeta: { apiVersion: 'v1', kind: 'Pod' } })).finish() ?? [];
    expect(() => decodeProtobuf(Buffer.concat([Buffer.from('k8s\0'), Buffer.from(pod)]))).toThrow(
      'the protobuf encoding of v1 Pod is not supported, send application/json',
    );
  });

  it('create objects, without prototype pollution by map keys', async () => {
    const { server } = await createTestServer();
    const post = (value: object) =>
      server.fetch(
        new Request('http://test/api/v1/namespaces/default/configmaps', {
          method: 'POST',
          headers: { 'content-type': 'application/vnd.kubernetes.protobuf' },
          body: encode('ConfigMap', value),
        }),
        { name: 'u', groups: [] },
      );
    const created = await post({ metadata: { name: 'c', generation: 0 }, data: { a: 'b' } });
    expect(created.status).toBe(201);
    const { metadata } = (await created.json()) as { metadata: object };
    expect(metadata).not.toHaveProperty('generation');
    const polluted = await post({ metadata: { name: 'd' }, data: JSON.parse('{"__proto__":"b"}') });
    expect(polluted.status).toBe(400);
  });
});
