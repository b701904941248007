import { describe, expect, it } from 'vitest';
import type { Host, HostMachine } from '../../kinds/index.ts';
import { type Choice, chooseHost, isOrphan, withChoice, withClaim, withoutChoice, withoutClaim } from './claims.ts';

const NOW = new Date('2026-01-01T00:00:00Z');

const host = (name: string, labels: Record<string, string> = {}, status: Host['status'] = {}): Host =>
  ({ metadata: { name, namespace: 'a', uid: `uid-${name}`, labels }, spec: { address: '10.0.0.1' }, status }) as Host;
const machine = (name: string, part: Partial<HostMachine> = {}): HostMachine =>
  ({ metadata: { name, namespace: 'a', uid: `uid-${name}` }, spec: {}, ...part }) as HostMachine;
const claimed = (by: string): Host['status'] => ({
  claim: { machine: by, uid: `uid-${by}`, since: '2025-01-01T00:00:00Z' },
});
const choice = (part: Partial<Choice>): Choice => {
  const own = part.machine ?? machine('m');
  return { machine: own, zone: undefined, hosts: [], machines: [own], tried: new Set(), ...part };
};
const chosen = (part: Partial<Choice>): string => {
  const found = chooseHost(choice(part));
  return typeof found === 'string' ? found : found.metadata.name;
};

describe('the choice of a host', () => {
  it('takes the first free host by name', () => {
    expect(chosen({ hosts: [host('b'), host('a')] })).toBe('a');
  });

  it('follows the selector', () => {
    const m = machine('m', { spec: { selector: { matchLabels: { disk: 'ssd' } } } });
    expect(chosen({ machine: m, hosts: [host('a'), host('b', { disk: 'ssd' })] })).toBe('b');
  });

  it('prefers the failure domain, and uses another if it has none', () => {
    const zoned = host('b', { 'topology.kubernetes.io/zone': 'z' });
    expect(chosen({ zone: 'z', hosts: [host('a'), zoned] })).toBe('b');
    expect(chosen({ zone: 'z', hosts: [host('a')] })).toBe('a');
  });

  it('tries hosts that did not respond last', () => {
    const conditions = [{ type: 'Reachable', status: 'False', lastTransitionTime: '2025-01-01T00:00:00Z' }];
    expect(chosen({ hosts: [host('a', {}, { conditions }), host('b')] })).toBe('b');
  });

  it('stays with the host that is claimed for the machine', () => {
    expect(chosen({ hosts: [host('a'), host('b', {}, claimed('m'))] })).toBe('b');
  });

  it.each([
    ['is claimed', { hosts: [host('a', {}, claimed('n'))], machines: [machine('n')] }],
    ['is chosen', { hosts: [host('a')], machines: [machine('n', { status: { host: { name: 'a', uid: 'x' } } })] }],
    ['was moved here', { hosts: [host('a')], machines: [machine('n', { spec: { providerID: 'host://a/a/uid-n' } })] }],
  ])('does not take a host that %s by another machine', (_, part) => {
    expect(chosen(part)).toBe('none of the 1 Hosts in namespace a can be claimed: 1 are claimed by other machines');
  });

  it('reports why each host cannot be claimed', () => {
    const m = machine('m', { spec: { selector: { matchLabels: { disk: 'ssd' } } } });
    const ssd = { disk: 'ssd' };
    const hosts = [host('a'), host('b', ssd), host('c', ssd, claimed('n'))];
    expect(chosen({ machine: m, hosts, machines: [m, machine('n')], tried: new Set(['b']) })).toBe(
      'none of the 3 Hosts in namespace a can be claimed: 1 are claimed by other machines, 1 cannot be used now, 1 do not match spec.selector',
    );
    expect(chosen({})).toBe('there is no Host in namespace a: create Hosts for the machines');
  });

  it('takes over a host whose machine no longer exists, after all others', () => {
    const orphan = host('a', {}, claimed('gone'));
    expect(isOrphan({ machines: [] }, orphan)).toBe(true);
    expect(chosen({ hosts: [orphan, host('b')] })).toBe('b');
    expect(chosen({ hosts: [orphan] })).toBe('a');
  });
});

describe('a claim', () => {
  it('is made once', () => {
    const own = withClaim(host('a'), machine('m'), NOW) as Host;
    expect(own.status?.claim).toEqual({ machine: 'm', uid: 'uid-m', since: '2026-01-01T00:00:00Z' });
    expect(own.metadata.finalizers).toEqual(['host.infrastructure.windlass.dev']);
    expect(withClaim(own, machine('n'), NOW)).toBeUndefined();
    expect(withClaim(own, machine('n'), NOW, 'uid-m')?.status?.claim?.machine).toBe('n');
  });

  it('is released only by its machine', () => {
    const own = withClaim(host('a'), machine('m'), NOW) as Host;
    expect(withoutClaim(own, 'uid-n')).toBeUndefined();
    const free = withoutClaim(own, 'uid-m');
    expect(free?.status).toEqual({});
    expect(free?.metadata.finalizers).toEqual([]);
  });

  it('is not made for a host that is being deleted', () => {
    const leaving = host('a');
    leaving.metadata.deletionTimestamp = '2025-01-01T00:00:00Z';
    expect(withClaim(leaving, machine('m'), NOW)).toBeUndefined();
  });
});

describe('a choice', () => {
  it('is permanent once it is written, and is not made for a machine that is being deleted', () => {
    const decided = withChoice(machine('m'), host('a', { 'topology.kubernetes.io/zone': 'z' })) as HostMachine;
    expect(decided.status?.host).toEqual({ name: 'a', uid: 'uid-a', zone: 'z' });
    expect(withChoice(decided, host('b'))).toBeUndefined();
    const leaving = machine('m', { metadata: { name: 'm', deletionTimestamp: '2025-01-01T00:00:00Z' } });
    expect(withChoice(leaving, host('b'))).toBeUndefined();
  });

  it('is withdrawn while nothing can have been started', () => {
    const providerID = 'host://a/a/uid-m';
    const decided = withChoice(machine('m'), host('a')) as HostMachine;
    expect(withoutChoice(decided, 'uid-a')?.status).toEqual({});
    expect(withoutChoice(decided, 'uid-b')).toBeUndefined();
    expect(withoutChoice({ ...decided, spec: { providerID } }, 'uid-a')?.status).toEqual({});
    const started = { ...decided, spec: { providerID }, status: { ...decided.status, state: 'Claimed' as const } };
    expect(withoutChoice(started, 'uid-a')).toBeUndefined();
  });
});
