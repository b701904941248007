import type { KubeObject } from '../kube-api/object.ts';
import type { Family, Labels, StateMetrics } from './family.ts';

/** Prometheus' text format, version 0.0.4. States and facts are gauges, because the format has no types for them. */

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' };

const pairs = (labels: Labels): string[] =>
  Object.entries(labels).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [`${name}="${String(value).replace(/[\\"\n]/g, (character) => ESCAPES[character] ?? '')}"`],
  );

/** An object with the labels of all its samples. */
interface Labelled<T> {
  object: T;
  names: ReadonlySet<string>;
  text: readonly string[];
}

const labelled = <T extends KubeObject>({ resource, labels }: StateMetrics<T>, object: T): Labelled<T> => {
  const { namespace, name, uid } = object.metadata;
  const common = {
    customresource_group: resource.group,
    customresource_kind: resource.kind,
    customresource_version: resource.version,
    ...labels(object),
    namespace,
    name,
    uid,
  };
  return { object, names: new Set(Object.keys(common)), text: pairs(common) };
};

const linesOf = <T>(metric: string, { samples }: Family<T>, { object, names, text }: Labelled<T>): string => {
  let lines = '';
  for (const { labels, value } of samples(object)) {
    const own = Object.entries(labels).filter(([name]) => !names.has(name));
    lines += `${metric}{${[...text, ...pairs(Object.fromEntries(own))].join(',')}} ${value}\n`;
  }
  return lines;
};

/**
 * The metrics of a kind's objects as text, in pieces: one for the head of each metric, and one for each object that has
 * samples of it. `onFailure` is called for an object whose metrics cannot be computed; the others are not affected.
 */
export function* expose<T extends KubeObject>(
  kind: StateMetrics<T>,
  objects: readonly T[],
  onFailure: (object: T, error: unknown) => void,
): Generator<string> {
  const failed = new Set<T>();
  const attempt = <R>(object: T, work: () => R): R[] => {
    try {
      return failed.has(object) ? [] : [work()];
    } catch (error) {
      failed.add(object);
      onFailure(object, error);
      return [];
    }
  };
  const all = objects.flatMap((object) => attempt(object, () => labelled(kind, object)));
  for (const family of kind.families) {
    const metric = `${kind.prefix}_${family.name}`;
    yield `# HELP ${metric} ${family.help}\n# TYPE ${metric} gauge\n`;
    for (const one of all) {
      const [lines = ''] = attempt(one.object, () => linesOf(metric, family, one));
      if (lines !== '') yield lines;
    }
  }
}
