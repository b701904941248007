import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { KINDS } from '../../../shared/kinds/index.ts';
import type { KubeObject } from '../../../shared/kube-api/object.ts';
import { MAX_OWNERS } from '../../../shared/kube-api/owner-limits.ts';
import { createTestApi } from '../test-api.ts';

const CLASSES = '/apis/cluster.x-k8s.io/v1beta2/namespaces/default/clusterclasses';

let admin: ReturnType<typeof createTestApi>['admin'];

const pathOf = (kind: string): string => {
  const found = KINDS.find((one) => one.kind === kind);
  return `/apis/${found?.group}/${found?.version}/namespaces/default/${found?.plural}`;
};

const documents = (): KubeObject[] =>
  parseAllDocuments(readFileSync('examples/clusterclass.yaml', 'utf8')).map((one) => one.toJS());

const TEMPLATES = documents().filter(({ kind }) => kind.endsWith('Template'));

/** The names of the owners of each template; undefined for one that does not exist. */
const owners = async (): Promise<(string[] | undefined)[]> =>
  Promise.all(
    TEMPLATES.map(async ({ kind, metadata }) => {
      const { code, body } = await admin.ask('GET', `${pathOf(kind)}/${metadata.name}`);
      return code === 404 ? undefined : (body.metadata.ownerReferences ?? []).map(({ name }: { name: string }) => name);
    }),
  );

const all = (...names: string[]) => TEMPLATES.map(() => names);

/** Creates the class of the example under another name. */
const copyClass = async (name: string): Promise<void> => {
  const [found] = documents().filter(({ kind }) => kind === 'ClusterClass');
  const object = { ...found, metadata: { name } };
  const { code } = await admin.ask('POST', CLASSES, object);
  expect(code).toBe(201);
};

const remove = (name: string, query = '') => admin.ask('DELETE', `${CLASSES}/${name}${query}`);

beforeEach(async () => {
  ({ admin } = createTestApi());
  await copyClass('first');
  const { body } = await admin.ask('GET', `${CLASSES}/first`);
  const { apiVersion, kind, metadata } = body;
  const ownerReferences = [{ apiVersion, kind, name: metadata.name, uid: metadata.uid }];
  for (const template of TEMPLATES) {
    const { code } = await admin.ask('POST', pathOf(template.kind), {
      ...template,
      metadata: { ...template.metadata, ownerReferences },
    });
    expect(code).toBe(201);
  }
});

describe('the templates of a deleted ClusterClass', () => {
  it('are deleted with it', async () => {
    await remove('first');
    expect(await owners()).toEqual(TEMPLATES.map(() => undefined));
  });

  it('stay as long as another class of the namespace refers to them', async () => {
    await copyClass('second');
    await copyClass('third');
    await remove('first');
    expect(await owners()).toEqual(all('second', 'third'));
    await remove('second');
    expect(await owners()).toEqual(all('third'));
    await remove('third');
    expect(await owners()).toEqual(TEMPLATES.map(() => undefined));
  });

  it('stay if the class is deleted with foreground propagation', async () => {
    await copyClass('second');
    await remove('first', '?propagationPolicy=Foreground');
    expect(await owners()).toEqual(all('second'));
  });

  it('stay if more classes refer to them than may own them', async () => {
    for (let n = 0; n < MAX_OWNERS + 1; n += 1) await copyClass(`other-${n}`);
    expect((await remove('first')).code).toBe(200);
    expect((await owners()).map((names) => names?.length)).toEqual(TEMPLATES.map(() => MAX_OWNERS - 1));
  });

  it('are not changed by a dry run', async () => {
    await copyClass('second');
    await remove('first', '?dryRun=All');
    expect(await owners()).toEqual(all('first'));
  });
});
