/** Annotations that a machine's bootstrap configuration gives its node, and that no kubelet can set. */
import * as z from 'zod';
import type { Machine } from '../../kinds/index.ts';
import { validateNodeAnnotations } from '../../kinds/rules/bootstrap/node-annotations.ts';

/** On a Machine, as a JSON object: the passes over a cluster read its Machines, and not their configurations. */
const CONFIGURED = 'windlass.dev/node-annotations';

const schema = z.record(z.string(), z.string());

type Annotations = Readonly<Record<string, string>>;

/**
 * The annotations that the node of a machine gets from its configuration; none if there are none, or if an API server
 * would refuse some of them: an earlier version has admitted those, and did nothing with any.
 */
export const configuredAnnotations = ({ metadata }: Pick<Machine, 'metadata'>): Annotations => {
  const text = metadata.annotations?.[CONFIGURED];
  if (text === undefined) return {};
  try {
    const given = schema.safeParse(JSON.parse(text)).data ?? {};
    return validateNodeAnnotations(given, CONFIGURED).length === 0 ? given : {};
  } catch {
    // Not JSON: it was written by a version that did not refuse it, so it is ignored.
    return {};
  }
};

/** The machine with what its configuration gives its node; undefined: the kind of configuration gives nothing. */
export const withConfiguredAnnotations = (machine: Machine, given: Annotations | undefined): Machine => {
  const { [CONFIGURED]: before, ...others } = machine.metadata.annotations ?? {};
  const isEmpty = Object.keys(given ?? {}).length === 0;
  if (isEmpty && before === undefined) return machine;
  const annotations = isEmpty ? others : { ...others, [CONFIGURED]: JSON.stringify(given) };
  return { ...machine, metadata: { ...machine.metadata, annotations } };
};
