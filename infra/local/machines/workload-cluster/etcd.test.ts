import { describe, expect, it } from 'vitest';
import { bootEtcd } from './etcd.ts';

describe('the members of a simulated etcd', () => {
  it('take one learner at a time', () => {
    const etcd = bootEtcd('a', 'i-a');
    etcd.addLearner('b', 'i-b');
    expect(() => etcd.addLearner('c', 'i-c')).toThrow('etcdserver: too many learner members in cluster');
    etcd.promote('b');
    etcd.addLearner('c', 'i-c');
    expect(etcd.names()).toEqual(['a', 'b', 'c']);
  });

  it('know a machine that tries again, and refuse another of its name', () => {
    const etcd = bootEtcd('a', 'i-a');
    etcd.addLearner('b', 'i-b');
    etcd.addLearner('b', 'i-b');
    expect(() => etcd.addLearner('b', 'i-other')).toThrow('etcdserver: Peer URLs already exists');
  });

  it('have a quorum while more than half of the voters live', () => {
    const etcd = bootEtcd('a', 'i-a');
    for (const name of ['b', 'c']) {
      etcd.addLearner(name, `i-${name}`);
      etcd.promote(name);
    }
    etcd.setAlive('a', false);
    expect(etcd.hasQuorum()).toBe(true);
    etcd.setAlive('b', false);
    expect(etcd.hasQuorum()).toBe(false);
    expect(() => etcd.addLearner('d', 'i-d')).toThrow('etcdserver: request timed out');
    etcd.remove('b');
    expect(etcd.hasQuorum()).toBe(false);
    etcd.remove('a');
    expect(etcd.hasQuorum()).toBe(true);
  });

  it('lose the quorum of two when one dies', () => {
    const etcd = bootEtcd('a', 'i-a');
    etcd.addLearner('b', 'i-b');
    etcd.setAlive('b', false);
    expect(etcd.hasQuorum()).toBe(true);
    etcd.promote('b');
    expect(etcd.hasQuorum()).toBe(false);
  });
});
