import type { KubeObject } from '../kube-api/object.ts';
import type { Labels, Sample, StateMetrics } from './family.ts';

/** Prometheus' text format, version 0.0.4. States and facts are gauges, because the format has no types for them. */

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' };

/** As many characters as the longest value that a schema limits may have: a provider ID, or the host of an endpoint. */
const LONGEST_VALUE = 512;

/** A Machine has at most 256 addresses and 128 samples of conditions. Nothing limits the number of owners. */
const MOST_SAMPLES = 1_000;

/** The weight of a sample in addition to the values of its labels. */
const SAMPLE_BYTES = 40;

type Entry = readonly [name: string, value: string];

/** Owners may have names of any length, and so has what a node says about itself. */
const cut = (value: string): string => (value.length > LONGEST_VALUE ? `${value.slice(0, LONGEST_VALUE - 1)}…` : value);

const entriesOf = (labels: Labels): Entry[] =>
  Object.entries(labels).flatMap(([name, value]) => (value === undefined ? [] : [[name, cut(String(value))] as const]));

const escaped = (value: string): string =>
  /[\\"\n]/.test(value) ? value.replace(/[\\"\n]/g, (character) => ESCAPES[character] ?? '') : value;

const textOf = (entries: readonly Entry[]): string =>
  entries.map(([name, value]) => `${name}="${escaped(value)}"`).join(',');

const bytesOf = (entries: readonly Entry[]): number =>
  entries.reduce((sum, [, value]) => sum + Buffer.byteLength(value), 0);

/** The labels of all samples of an object. */
const commonOf = <T extends KubeObject>({ resource, labels }: StateMetrics<T>, object: T): Entry[] => {
  const { namespace, name, uid } = object.metadata;
  return entriesOf({
    customresource_group: resource.group,
    customresource_kind: resource.kind,
    customresource_version: resource.version,
    ...labels(object),
    namespace,
    name,
    uid,
  });
};

const ownEntries = ({ labels }: Sample, names: ReadonlySet<string>): Entry[] =>
  entriesOf(labels).filter(([name]) => !names.has(name));

const namesIn = (entries: readonly Entry[]): ReadonlySet<string> => new Set(entries.map(([name]) => name));

/**
 * How much an object adds to the page, in bytes of what is not repeated from line to line: about a fourth of its text,
 * and more than its compressed text. Throws if no metrics can be computed, or too many.
 */
export const weigh = <T extends KubeObject>(kind: StateMetrics<T>, object: T): number => {
  const common = commonOf(kind, object);
  const names = namesIn(common);
  const commonBytes = bytesOf(common);
  let count = 0;
  let bytes = 0;
  for (const family of kind.families) {
    const samples = family.samples(object);
    count += samples.length;
    if (count > MOST_SAMPLES) throw new Error(`it has more than ${MOST_SAMPLES} samples`);
    if (samples.length > 0) bytes += commonBytes;
    for (const sample of samples) bytes += SAMPLE_BYTES + bytesOf(ownEntries(sample, names));
  }
  return bytes;
};

interface Rendered<T> {
  object: T;
  names: ReadonlySet<string>;
  text: string;
}

const linesOf = (metric: string, samples: readonly Sample[], { names, text }: Omit<Rendered<unknown>, 'object'>) => {
  // Samples with the same labels would be refused. Labels that were cut may be the same, and so may addresses.
  const lines = new Map<string, string>();
  for (const sample of samples) {
    const own = textOf(ownEntries(sample, names));
    if (!lines.has(own)) lines.set(own, `${metric}{${text}${own === '' ? '' : `,${own}`}} ${sample.value}\n`);
  }
  return [...lines.values()].join('');
};

/** The lines that introduce a metric. */
export const headOf = (metric: string, help: string): string => `# HELP ${metric} ${help}\n# TYPE ${metric} gauge\n`;

/** One sample as a line. */
export const lineOf = (metric: string, labels: Labels, value: number): string =>
  `${metric}{${textOf(entriesOf(labels))}} ${value}\n`;

/**
 * The metrics of a kind's objects as text, in pieces: one for the head of each metric, and one for each object that has
 * samples of it. Objects that cannot be weighed must not be among them.
 */
export function* expose<T extends KubeObject>(kind: StateMetrics<T>, objects: readonly T[]): Generator<string> {
  const all = objects.map((object): Rendered<T> => {
    const common = commonOf(kind, object);
    return { object, names: namesIn(common), text: textOf(common) };
  });
  for (const { name, help, samples } of kind.families) {
    const metric = `${kind.prefix}_${name}`;
    yield headOf(metric, help);
    for (const one of all) {
      const lines = linesOf(metric, samples(one.object), one);
      if (lines !== '') yield lines;
    }
  }
}
