/** Annotations that a machine's bootstrap configuration sets on its node, and that no kubelet can set. */
import * as z from 'zod';
import type { Machine } from '../../kinds/index.ts';
import { validateNodeAnnotations } from '../../kinds/rules/bootstrap/node-annotations.ts';

/**
 * An annotation of a Machine, with a JSON object: the passes over a cluster read its Machines but not their
 * configurations.
 */
const CONFIGURED = 'windlass.dev/node-annotations';

const schema = z.record(z.string(), z.string());

type Annotations = Readonly<Record<string, string>>;

/**
 * The annotations that the node of a machine gets from its configuration. Empty if there are none, or if an API server
 * would refuse one of them: an earlier version has admitted those and had no use for any of them.
 */
export const configuredAnnotations = ({ metadata }: Pick<Machine, 'metadata'>): Annotations => {
  const text = metadata.annotations?.[CONFIGURED];
  if (text === undefined) return {};
  try {
    const given = schema.safeParse(JSON.parse(text)).data ?? {};
    return validateNodeAnnotations(given, CONFIGURED).length === 0 ? given : {};
  } catch {
    // Not JSON: a version that did not check it has written it, so it is ignored.
    return {};
  }
};

/**
 * The machine with the annotations that its configuration sets on its node; undefined if this kind of configuration
 * sets none.
 */
export const withConfiguredAnnotations = (machine: Machine, given: Annotations | undefined): Machine => {
  const { [CONFIGURED]: before, ...others } = machine.metadata.annotations ?? {};
  const isEmpty = Object.keys(given ?? {}).length === 0;
  if (isEmpty && before === undefined) return machine;
  const annotations = isEmpty ? others : { ...others, [CONFIGURED]: JSON.stringify(given) };
  return { ...machine, metadata: { ...machine.metadata, annotations } };
};
