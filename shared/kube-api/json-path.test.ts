import { describe, expect, it } from 'vitest';
import { compileJsonPath } from './json-path.ts';

const object = {
  metadata: { labels: { 'a.b/c': 'dotted', plain: 'x' } },
  spec: { replicas: 0, list: [{ n: 1 }, { n: 2 }, { n: 3 }] },
  status: {
    conditions: [
      { type: 'Ready', status: 'True', deep: { n: 1 } },
      { type: 'Up', status: 'False', alias: 'Up' },
    ],
  },
};

describe('JSON paths of columns', () => {
  it.each([
    ['.spec.replicas', [0]],
    ['.spec.missing.deeper', []],
    ['.metadata.labels.plain', ['x']],
    ["['metadata'].labels['a\\.b/c']", ['dotted']],
    ["['metadata']['labels']['a.b/c']", ['dotted']],
    ['.metadata.labels.a\\.b/c', ['dotted']],
    ['.spec.list[0].n', [1]],
    ['.spec.list[-1].n', [3]],
    ['.spec.list[9].n', []],
    ['.spec.list[*].n', [1, 2, 3]],
    ['.spec.list[?(@.n>=2)].n', [2, 3]],
    ['.spec.list[?(@.n!=2)].n', [1, 3]],
    ['.status.conditions[?(@.type=="Ready")].status', ['True']],
    ["$.status.conditions[?(@.type=='Up')].status", ['False']],
    ['.status.conditions[?(@.deep.n==1)].type', ['Ready']],
    ['.status.conditions[?(@.deep)].type', ['Ready']],
    ['.status.conditions[?(@.type==@.alias)].status', ['False']],
    ['.spec.list[-1:].n', [3]],
    ['.spec.list[0:2].n', [1, 2]],
    ['.spec.list[:-1].n', [1, 2]],
    ['.spec.list[::2].n', [1, 3]],
    ['.spec.list[2:9].n', []],
    ['.spec.list[0,2].n', [1, 3]],
    [".status.conditions[1]['status', 'type']", ['False', 'Up']],
    ['.spec.list.*.n', [1, 2, 3]],
    ['.spec..n', [1, 2, 3]],
    ['.status..type', ['Ready', 'Up']],
    ['.status.conditions[?(@.type=="None")].status', []],
  ])('%s', (path, results) => {
    expect(compileJsonPath(path)(object)).toEqual(results);
  });

  it('are refused when they cannot be read', () => {
    expect(() => compileJsonPath('.a[')).toThrow('JSON path .a[: cannot read [');
    expect(() => compileJsonPath('.a[?(b==1)]')).toThrow('cannot read the filter');
  });
});
