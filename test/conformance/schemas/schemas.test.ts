import { spawnSync } from 'node:child_process';
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { KINDS } from '../../../shared/kinds/index.ts';
import { loadTexts } from '../../../shared/kinds/load-texts.ts';
import type { CustomResourceDefinition } from '../../../shared/kube-api/custom-resource-definition.ts';
import { servedDefinitions } from '../../../shared/kube-api/served-definitions.ts';
import { LIMIT } from '../../../shared/test-patience.ts';
import { compare, type Difference } from './compare.ts';
import { DIFFERENCES, type KnownDifference, NOT_COMPARED, NOT_SERVED } from './differences.ts';
import { type Attributes, flatten } from './flatten.ts';
import { copied, descriptionsOf } from './own-words.ts';
import { tryRule } from './trials.ts';
import { definitionsOf, MODULES } from './upstream.ts';

type Schemas = ReadonlyMap<string, ReadonlyMap<string, Attributes>>;

const schemasOf = (definitions: readonly CustomResourceDefinition[]): Schemas =>
  new Map(
    definitions.flatMap(({ spec: { names, versions } }) =>
      versions
        .filter(({ served }) => served)
        .map(({ name, schema }) => [`${names.kind}/${name}`, flatten(schema.openAPIV3Schema)] as const),
    ),
  );

const RULES = 'x-kubernetes-validations';

const isKnown = (found: Difference, { kinds, path, attribute, upstream, ours }: KnownDifference): boolean =>
  kinds.test(found.kind) &&
  path.test(found.path) &&
  attribute === found.attribute &&
  isDeepStrictEqual([upstream, ours], [found.upstream, found.ours]);

const hasGo = spawnSync('go', ['version']).status === 0;

/** The reasons of the entries that match a kind. */
const reasonsFor = (kind: string, entries: readonly { kinds: RegExp; reason: string }[]): string[] =>
  entries.filter(({ kinds }) => kinds.test(kind)).map(({ reason }) => reason);

describe.skipIf(!hasGo)('the served schemas', () => {
  let upstream: Schemas;
  let described: { ours: string[]; upstream: string[] };
  let ours: Schemas;
  let differences: Difference[];

  beforeAll(async () => {
    const theirs = MODULES.flatMap(definitionsOf);
    const own = (await servedDefinitions(
      KINDS,
      () => ({}),
      loadTexts,
    ).objects()) as readonly CustomResourceDefinition[];
    upstream = schemasOf(theirs);
    ours = schemasOf(own);
    described = { ours: descriptionsOf(own), upstream: descriptionsOf(theirs) };
    differences = [...ours].flatMap(([kind, rows]) => {
      const known = upstream.get(kind);
      return known ? compare(kind, known, rows) : [];
    });
  }, LIMIT);

  it('are compared with upstream’s, field by field', () => {
    const compared = [...ours.keys()].filter((kind) => upstream.has(kind));
    expect(compared).toHaveLength(39);
    const fields = compared.reduce((count, kind) => count + (upstream.get(kind)?.size ?? 0), 0);
    expect(fields).toBe(6577);
  });

  it('differ from those of upstream only as listed', () => {
    expect(differences.filter((found) => !DIFFERENCES.some((known) => isKnown(found, known)))).toEqual([]);
  });

  it('are described in our own words', () => {
    expect(described.ours.length).toBeGreaterThan(1000);
    expect(copied(described.ours, described.upstream, 10)).toEqual([]);
    expect(copied(described.upstream.slice(0, 50), described.upstream, 10).length).toBeGreaterThan(10);
  });

  it('have every listed difference', () => {
    expect(DIFFERENCES.filter((known) => !differences.some((found) => isKnown(found, known)))).toEqual([]);
  });

  it('cover every CEL rule of upstream: admission refuses what it refuses', () => {
    const rules = differences.filter(({ attribute, kind }) => attribute === RULES && kind.endsWith('/v1beta2'));
    const trials = rules.flatMap((found) => (found.upstream as string[]).map((digest) => ({ ...found, digest })));
    expect(trials).toHaveLength(49);
    const wrong = trials.flatMap(({ kind, path, digest }) => {
      const { taken, refused } = tryRule(kind.replace('/v1beta2', ''), path, digest);
      return taken.length === 0 && refused.length > 0 ? [] : [{ kind, path, digest, taken, refused }];
    });
    expect(wrong).toEqual([]);
  });

  it('exist for every kind of upstream that is not listed', () => {
    const missing = [...upstream.keys()].filter((kind) => !ours.has(kind));
    expect(missing.filter((kind) => reasonsFor(kind, NOT_SERVED).length !== 1)).toEqual([]);
    expect(NOT_SERVED.filter(({ kinds }) => !missing.some((kind) => kinds.test(kind)))).toEqual([]);
  });

  it('are compared for every kind that is not listed', () => {
    const alone = [...ours.keys()].filter((kind) => !upstream.has(kind));
    expect(alone.filter((kind) => reasonsFor(kind, NOT_COMPARED).length !== 1)).toEqual([]);
    expect(NOT_COMPARED.filter(({ kinds }) => !alone.some((kind) => kinds.test(kind)))).toEqual([]);
  });
});
