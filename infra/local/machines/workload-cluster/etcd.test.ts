import { describe, expect, it } from 'vitest';
import { bootEtcd } from './etcd.ts';

const host = (name: string) => ({ owner: `i-${name}`, address: `10.0.0.${name.codePointAt(0)}` });

describe('the members of a simulated etcd', () => {
  it('include one learner at a time', () => {
    const etcd = bootEtcd('a', host('a'));
    etcd.addLearner('b', host('b'));
    expect(() => etcd.addLearner('c', host('c'))).toThrow('etcdserver: too many learner members in cluster');
    etcd.promote('b');
    etcd.addLearner('c', host('c'));
    expect(etcd.names()).toEqual(['a', 'b', 'c']);
  });

  it('accept a machine that retries, and refuse another with its name', () => {
    const etcd = bootEtcd('a', host('a'));
    etcd.addLearner('b', host('b'));
    etcd.addLearner('b', host('b'));
    expect(() => etcd.addLearner('b', host('other'))).toThrow('etcdserver: Peer URLs already exists');
  });

  it('have a quorum while more than half of the voters are alive', () => {
    const etcd = bootEtcd('a', host('a'));
    for (const name of ['b', 'c']) {
      etcd.addLearner(name, host(name));
      etcd.promote(name);
    }
    etcd.setAlive('a', false);
    expect(etcd.hasQuorum()).toBe(true);
    expect(() => etcd.addLearner('d', host('d'))).toThrow('etcdserver: unhealthy cluster');
    etcd.setAlive('b', false);
    expect(etcd.hasQuorum()).toBe(false);
    expect(() => etcd.addLearner('d', host('d'))).toThrow('etcdserver: request timed out');
    etcd.remove('b');
    expect(etcd.hasQuorum()).toBe(false);
    etcd.remove('a');
    expect(etcd.hasQuorum()).toBe(true);
  });

  it('can be removed if they do not vote, or while enough others are alive', () => {
    const etcd = bootEtcd('a', host('a'));
    const idOf = (name: string) => etcd.members().find((member) => member.name === name)?.id ?? '';
    expect(() => etcd.removeById(idOf('a'))).toThrow('not enough started members');
    for (const name of ['b', 'c']) {
      etcd.addLearner(name, host(name));
      etcd.promote(name);
    }
    etcd.addLearner('d', host('d'));
    etcd.setAlive('c', false);
    expect(() => etcd.removeById(idOf('b'))).toThrow('etcdserver: unhealthy cluster');
    etcd.removeById(idOf('d'));
    etcd.removeById(idOf('c'));
    etcd.removeById(idOf('b'));
    expect(etcd.names()).toEqual(['a']);
  });

  it('lose the quorum of two if one dies', () => {
    const etcd = bootEtcd('a', host('a'));
    etcd.addLearner('b', host('b'));
    etcd.setAlive('b', false);
    expect(etcd.hasQuorum()).toBe(true);
    etcd.promote('b');
    expect(etcd.hasQuorum()).toBe(false);
  });
});
