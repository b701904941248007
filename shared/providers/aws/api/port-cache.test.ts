import { describe, expect, it } from 'vitest';
import { createPortCache, type PortCacheOptions } from './port-cache.ts';

interface Port {
  describeGates(filter: string): Promise<string[]>;
  describeWalls(): Promise<string[]>;
  describeGuests(): Promise<string[]>;
  createGate(name: string): Promise<void>;
  rebuild(): Promise<void>;
}

const world = (passing: PortCacheOptions<Port>['passing'] = {}) => {
  let now = 0;
  const gates = ['first'];
  const calls: string[] = [];
  const state = { fails: false };
  const port: Port = {
    describeGates: async (filter) => {
      calls.push(`gates ${filter}`);
      return [...gates];
    },
    describeWalls: async () => {
      calls.push('walls');
      return [];
    },
    describeGuests: async () => {
      calls.push('guests');
      return [];
    },
    createGate: async (name) => {
      if (state.fails) throw new Error('refused');
      gates.push(name);
    },
    rebuild: async () => {},
  };
  const memory = createPortCache<Port>({
    clock: { now: () => new Date(now) },
    seconds: 60,
    reads: ['describeGates', 'describeWalls'],
    passing,
    invalidates: { createGate: ['describeGates'] },
  });
  const readAll = async (owner = 'red', turn = '') => {
    calls.length = 0;
    const of = memory.of(owner, turn, port);
    await of.describeGates('a');
    await of.describeWalls();
    return [...calls];
  };
  const advance = (seconds: number) => {
    now += seconds * 1000;
  };
  return { memory, port, calls, gates, state, readAll, advance };
};

const BOTH = ['gates a', 'walls'];

describe('the cached answers for an owner', () => {
  it('have the time of the oldest valid answer, if there is one', async () => {
    const w = world();
    await w.readAll();
    w.advance(20);
    await w.memory.of('red', '', w.port).createGate('second');
    await w.readAll();
    const seconds = () => (w.memory.oldestAt('red')?.getTime() ?? Number.NaN) / 1000;
    expect(seconds()).toBe(0);
    w.advance(40);
    expect(seconds()).toBe(20);
    w.advance(20);
    expect(w.memory.oldestAt('red')).toBeUndefined();
  });

  it('are valid for a minute, for the same request, and only for that owner', async () => {
    const w = world();
    expect(await w.readAll()).toEqual(BOTH);
    expect(await w.readAll()).toEqual([]);
    expect(await w.readAll('blue')).toEqual(BOTH);
    await w.memory.of('red', '', w.port).describeGates('b');
    expect(w.calls).toContain('gates b');
    w.advance(60);
    expect(await w.readAll()).toEqual(BOTH);
  });

  it('are requested again if they show something that will change on its own', async () => {
    const w = world({ describeGates: (gates) => gates.length === 1 });
    expect(await w.readAll()).toEqual(BOTH);
    expect(await w.readAll()).toEqual(['gates a']);
    w.gates.push('second');
    expect(await w.readAll()).toEqual(['gates a']);
    expect(await w.readAll()).toEqual([]);
  });

  it('are requested again if a write may have changed them, also by a caller from before', async () => {
    const w = world();
    const early = w.memory.of('red', '', w.port);
    await w.readAll();
    await early.createGate('second');
    expect(await w.readAll()).toEqual(['gates a']);
    expect(await early.describeGates('a')).toEqual(['first', 'second']);
    await early.rebuild();
    expect(await w.readAll()).toEqual(BOTH);
  });

  it('are dropped when a write fails, on request, and when another run has recorded a round', async () => {
    const w = world();
    await w.readAll();
    w.state.fails = true;
    await expect(w.memory.of('red', '', w.port).createGate('x')).rejects.toThrow('refused');
    expect(await w.readAll()).toEqual(BOTH);
    w.memory.forget('red');
    expect(await w.readAll()).toEqual(BOTH);
    expect(await w.readAll('red', 'theirs')).toEqual(BOTH);
    expect(await w.readAll('red', 'theirs')).toEqual([]);
  });

  it('are kept after a round of the same run, unless another round came between', async () => {
    const w = world();
    await w.readAll('red', 'one');
    w.memory.follow('red', 'one', 'two');
    expect(await w.readAll('red', 'two')).toEqual([]);
    w.memory.follow('red', 'theirs', 'three');
    expect(await w.readAll('red', 'three')).toEqual(BOTH);
  });

  it('do not include data that others may change at any time', async () => {
    const w = world();
    const of = w.memory.of('red', '', w.port);
    await of.describeGuests();
    await of.describeGuests();
    expect(w.calls).toEqual(['guests', 'guests']);
  });
});
