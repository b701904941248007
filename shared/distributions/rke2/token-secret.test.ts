import { describe, expect, it } from 'vitest';
import { agentTokenOf } from '../../bootstrap/rke2/token.ts';
import type { Secret } from '../../kinds/index.ts';
import type { OwnerReference } from '../../kube-api/object.ts';
import { tokensIn, withAgentToken } from './token-secret.ts';

const b64 = (text: string): string => Buffer.from(text).toString('base64');

const owner = (over: Partial<OwnerReference>): OwnerReference => ({
  ...{ apiVersion: 'cluster.x-k8s.io/v1beta1', kind: 'Cluster', name: 'demo', uid: 'u', controller: true },
  ...over,
});

const secretOf = (owners: OwnerReference[], over: Partial<Secret> = {}): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { namespace: 'default', name: 'demo-token', ownerReferences: owners },
  data: { value: b64('the-token') },
  ...over,
});

const OURS = owner({ apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2', kind: 'RKE2ControlPlane' });
const DERIVED = agentTokenOf('the-token');

describe('the token of workers', () => {
  it.each([
    { of: 'a Secret that Windlass created', secret: secretOf([OURS]), agent: DERIVED },
    { of: "a user's Secret without owners", secret: secretOf([]), agent: DERIVED },
    {
      of: "a user's Secret that the Cluster only owns",
      secret: secretOf([owner({ controller: false })]),
      agent: DERIVED,
    },
    {
      of: 'a controller of another group',
      secret: secretOf([owner({ apiVersion: 'example.com/v1' })]),
      agent: DERIVED,
    },
    { of: "a Secret that Rancher's provider created", secret: secretOf([owner({})]), agent: 'the-token' },
  ])('is $agent with $of, and stays so when the owners are lost', ({ secret, agent }) => {
    expect(tokensIn(secret)).toEqual({ server: 'the-token', agent });
    const kept = withAgentToken(secret);
    expect(kept?.data).toEqual({ value: b64('the-token'), 'agent-token': b64(agent) });
    const { ownerReferences: _, ...metadata } = secret.metadata;
    expect(tokensIn({ ...secret, data: kept?.data ?? {}, metadata })).toEqual({ server: 'the-token', agent });
  });

  it('uses the token recorded in the Secret, regardless of who created it', () => {
    const data = { value: b64('the-token'), 'agent-token': b64('mine') };
    for (const owners of [[OURS], [owner({})], []]) {
      const secret = secretOf(owners, { data });
      expect(tokensIn(secret).agent).toBe('mine');
      expect(withAgentToken(secret)).toBeUndefined();
    }
  });

  it('is not added to a Secret that refuses changes, or that has no token', () => {
    expect(withAgentToken(secretOf([OURS], { immutable: true }))).toBeUndefined();
    expect(withAgentToken(secretOf([OURS], { data: {} }))).toBeUndefined();
  });
});
