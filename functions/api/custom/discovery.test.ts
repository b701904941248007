import { describe, expect, it } from 'vitest';
import { createTestApi } from '../test-api.ts';
import { CRDS, definition, version } from './test-widgets.ts';

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

const defined = (group: string, plural: string, kind: string, ...versions: string[]) => {
  const of = versions.map((name, index) => ({ ...version(name), storage: index === 0 }));
  const { spec, ...rest } = definition(plural, kind, {}, of);
  return { ...rest, metadata: { name: `${plural}.${group}` }, spec: { ...spec, group } };
};

const setUp = async (...definitions: object[]) => {
  const { ask } = createTestApi().admin;
  for (const one of definitions) expect(await ask('POST', CRDS, one)).toMatchObject({ code: 201 });
  const versionsOf = async (group: string) => {
    const single = await ask('GET', `/apis/${group}`);
    const all = await ask('GET', '/apis');
    const aggregated = await ask('GET', '/apis', undefined, { accept: AGGREGATED });
    const { versions, preferredVersion } = single.body;
    const listed = all.body.groups.find(({ name }: { name: string }) => name === group);
    const item = aggregated.body.items.find(
      ({ metadata }: { metadata: object }) => Object.values(metadata)[0] === group,
    );
    const names = (of: { version: string }[]): string[] => of.map((one) => one.version);
    expect(names(item.versions)).toEqual(names(versions));
    expect(names(listed.versions)).toEqual(names(versions));
    expect(listed.preferredVersion).toEqual(preferredVersion);
    expect(preferredVersion).toEqual(versions[0]);
    return names(versions);
  };
  return { ask, versionsOf };
};

describe('the versions of a group of custom resources', () => {
  it('are sorted by the preference of clients, whichever kind was defined first', async () => {
    const { versionsOf } = await setUp(
      defined('toys.example.com', 'gadgets', 'Gadget', 'v1alpha1'),
      defined('toys.example.com', 'things', 'Thing', 'odd', 'v1beta1', 'v10', 'v2'),
      defined('toys.example.com', 'widgets', 'Widget', 'v1beta2', 'v1'),
    );
    expect(await versionsOf('toys.example.com')).toEqual(['v10', 'v2', 'v1', 'v1beta2', 'v1beta1', 'v1alpha1', 'odd']);
  });

  it('come after those of the server in a built-in group, which keep their order', async () => {
    const { ask, versionsOf } = await setUp();
    const own = await versionsOf('cluster.x-k8s.io');
    await ask('POST', CRDS, defined('cluster.x-k8s.io', 'toys', 'Toy', 'v1alpha1', 'v1beta1', 'v1'));
    expect(await versionsOf('cluster.x-k8s.io')).toEqual(
      [...own, 'v1', 'v1alpha1'].filter((one, at, all) => all.indexOf(one) === at),
    );
  });
});
