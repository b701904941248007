/** The annotation in which kubectl keeps what was applied last, so that the next apply knows what was removed. Pure. */
import type { KubeObject } from '../../../shared/kube-api/object.ts';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Go escapes these in JSON. */
const ESCAPED = /[<>&\u2028\u2029]/g;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** JSON as Go writes it, with sorted members: kubectl compares the annotation as a text. */
const goJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(goJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value).replace(ESCAPED, escaped);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${goJson(name)}:${goJson(member)}`).join(',')}}`;
};

/** The object without the annotation; without any annotations, it gets an empty map, as kubectl does it. */
export const withoutLastApplied = (object: KubeObject): KubeObject => {
  const { [LAST_APPLIED]: _previous, ...annotations } = object.metadata.annotations ?? {};
  return { ...object, metadata: { ...object.metadata, annotations } };
};

/** The object with the annotation that it was applied. */
export const withLastApplied = (object: KubeObject): KubeObject => {
  const plain = withoutLastApplied(object);
  const annotations = { ...plain.metadata.annotations, [LAST_APPLIED]: `${goJson(plain)}\n` };
  return { ...object, metadata: { ...object.metadata, annotations } };
};

/** The last applied object; empty if it is unknown, as after server-side apply. */
export const lastApplied = ({ metadata }: KubeObject): Record<string, unknown> => {
  const text = metadata.annotations?.[LAST_APPLIED];
  return text === undefined ? {} : (JSON.parse(text) as Record<string, unknown>);
};
