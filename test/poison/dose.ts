/** The attempts of a hostile editor on every object: odd values, from the schemas and from the names in the code. */
import fc from 'fast-check';
import type { ResourceDefinition } from '../../shared/kube-api/resource.ts';
import { type apiOf, type Mallory, pathOf, TENANT } from './mallory.ts';
import { ODD_TEXTS, oddOf, placesOf } from './odd.ts';

const nested = (path: readonly string[], value: unknown): object =>
  path.toReversed().reduce<unknown>((inner, key) => ({ [key]: inner }), value) as object;

type Marks = Record<string, string>;

/** The attempts on one object: odd values in fields, and in annotations and labels that some code reads. */
interface Dose {
  fields: object[];
  annotations: Marks;
  labels: Marks;
}

const marksOf = (keys: readonly string[], share: number): fc.Arbitrary<Marks> =>
  fc
    .tuple(
      ...keys
        .filter((key) => !HIDING.has(key))
        .map((key) =>
          fc
            .tuple(fc.nat(99), fc.constantFrom(...ODD_TEXTS))
            .map(([roll, text]) => (roll < share ? [[key, text]] : [])),
        ),
    )
    .map((entries) => Object.fromEntries(entries.flat()));

/**
 * Metadata that only controllers write, and metadata that hides the cluster from them, so that nothing else would be
 * read.
 */
const NOT_POISONED = new Set(['status', 'metadata', 'paused', 'infrastructureRef', 'clusterName']);
const HIDING = new Set(['cluster.x-k8s.io/paused', 'cluster.x-k8s.io/cluster-name', 'cluster.x-k8s.io/managed-by']);

const FIELDS = { minLength: 0, maxLength: 4 };

const makeDose = (resource: ResourceDefinition, keys: readonly string[]): fc.Arbitrary<Dose> => {
  const places = placesOf(resource.schema).filter(({ path }) => !path.some((part) => NOT_POISONED.has(part)));
  const field =
    places.length === 0
      ? fc.constant({})
      : fc.constantFrom(...places).chain(({ path, schema }) => oddOf(schema).map((value) => nested(path, value)));
  return fc.record({ fields: fc.array(field, FIELDS), annotations: marksOf(keys, 25), labels: marksOf(keys, 3) });
};

const known = new WeakMap<ResourceDefinition, fc.Arbitrary<Dose>>();

/** The doses for a kind, computed once for all seeds: the result of a seed does not depend on earlier seeds. */
const doseFor = (resource: ResourceDefinition, keys: readonly string[]): fc.Arbitrary<Dose> => {
  const dose = known.get(resource) ?? makeDose(resource, keys);
  known.set(resource, dose);
  return dose;
};

/**
 * Makes the attempts of a seed, and returns what admission accepted. If several marks are refused together, those that
 * the refusal does not name are tried again.
 */
export const poison = async (
  { editor }: ReturnType<typeof apiOf>,
  { objects }: Mallory,
  keys: readonly string[],
  seed: number,
): Promise<string[]> => {
  const taken: string[] = [];
  /** Returns the refusal, if there was one. */
  const attempt = async (
    { resource, name }: Mallory['objects'][number],
    patch: object,
  ): Promise<string | undefined> => {
    const { code, text } = await editor('PATCH', `${pathOf(resource, TENANT)}/${name}`, patch);
    const what = `${resource.kind} ${name} ${JSON.stringify(patch).slice(0, 4000)}`;
    if (code >= 500) throw new Error(`the API answers ${code} to ${what}: ${text}`);
    if (code < 300) taken.push(what);
    return code < 300 ? undefined : (JSON.parse(text) as { message: string }).message;
  };
  const mark = async (
    object: Mallory['objects'][number],
    where: string,
    marks: readonly [string, string][],
  ): Promise<void> => {
    if (marks.length === 0) return;
    const refusal = await attempt(object, { metadata: { [where]: Object.fromEntries(marks) } });
    if (refusal === undefined || marks.length === 1) return;
    const unnamed = marks.filter(
      ([key, value]) =>
        !refusal.includes(key) && !refusal.includes(`metadata.${where}: Invalid value: ${JSON.stringify(value)}`),
    );
    if (unnamed.length < marks.length) return mark(object, where, unnamed);
    const half = Math.ceil(marks.length / 2);
    await mark(object, where, marks.slice(0, half));
    await mark(object, where, marks.slice(half));
  };
  for (const [index, object] of objects.entries()) {
    const [dose] = fc.sample(doseFor(object.resource, keys), { seed: seed * 1000 + index, numRuns: 1 });
    for (const field of dose?.fields ?? []) await attempt(object, field);
    await mark(object, 'annotations', Object.entries(dose?.annotations ?? {}));
    await mark(object, 'labels', Object.entries(dose?.labels ?? {}));
  }
  return taken;
};
