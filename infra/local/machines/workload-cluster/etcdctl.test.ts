import { describe, expect, it } from 'vitest';
import {
  ENDPOINT_STATUS,
  MEMBER_LIST,
  memberRemove,
  moveLeader,
  parseMembers,
  parseStatus,
} from '../../../../shared/workload/etcdctl.ts';
import { bootEtcd, type Etcd } from './etcd.ts';
import { runEtcdctl } from './etcdctl.ts';

const TLS = ['--cacert=/ca.crt', '--cert=/server.crt', '--key=/server.key'];

const host = (name: string) => ({ owner: `i-${name}`, address: `10.0.0.${name.codePointAt(0)}` });

const three = (): Etcd => {
  const etcd = bootEtcd('a', host('a'));
  for (const name of ['b', 'c']) {
    etcd.addLearner(name, host(name));
    etcd.promote(name);
  }
  return etcd;
};
const ask = (etcd: Etcd, self: string, args: readonly string[]) => runEtcdctl(etcd, self, [...TLS, ...args]);
const members = (etcd: Etcd) => parseMembers(ask(etcd, 'b', MEMBER_LIST).stdout);

describe('etcdctl of a simulated machine', () => {
  it('lists members with 64-bit ids, the leader, and the members that answer', () => {
    const etcd = three();
    const ids = Object.fromEntries(members(etcd).map(({ id, name }) => [name, id]));

    expect(Object.keys(ids)).toEqual(['a', 'b', 'c']);
    expect(ids.a).toMatch(/^[0-9a-f]{13,16}$/);
    expect(parseStatus(ask(etcd, 'c', ENDPOINT_STATUS).stdout)).toEqual({
      leader: ids.a,
      reachable: new Set(Object.values(ids)),
    });
    etcd.setAlive('a', false);
    const status = ask(etcd, 'c', ENDPOINT_STATUS);
    expect(status.code).toBe(1);
    expect(parseStatus(status.stdout)).toEqual({ leader: ids.b, reachable: new Set([ids.b, ids.c]) });
  });

  it('moves the leadership only from the leader, and removes a member', () => {
    const etcd = three();
    const [a, b] = members(etcd);

    expect(ask(etcd, 'c', moveLeader(b?.id ?? '')).stderr).toContain('no leader endpoint given');
    expect(ask(etcd, 'a', moveLeader(b?.id ?? '')).code).toBe(0);
    expect(etcd.leader()?.name).toBe('b');
    expect(ask(etcd, 'c', memberRemove(a?.id ?? '')).code).toBe(0);
    expect(ask(etcd, 'c', memberRemove(a?.id ?? '')).stderr).toContain('member not found');
    expect(etcd.names()).toEqual(['b', 'c']);
  });

  it('refuses commands that etcd refuses', () => {
    const etcd = three();
    const [a, b, c] = members(etcd);
    etcd.setAlive('c', false);

    expect(ask(etcd, 'a', memberRemove(b?.id ?? '')).stderr).toContain('unhealthy cluster');
    expect(ask(etcd, 'a', moveLeader(c?.id ?? '')).stderr).toContain('deadline exceeded');
    etcd.setAlive('b', false);
    expect(ask(etcd, 'a', memberRemove(c?.id ?? '')).stderr).toContain('context deadline exceeded');
    expect(runEtcdctl(etcd, 'a', MEMBER_LIST).stderr).toContain('--cacert');
    expect(a?.name).toBe('a');
  });
});
