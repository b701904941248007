import * as z from 'zod';
import { readJson } from '../../decode/json.ts';
import type { KubeObject } from '../../kube-api/object.ts';

/**
 * The record on the infrastructure cluster of the machine that initializes the control plane. Its bootstrap
 * configuration has the form of a joining machine's, so nothing else shows later with which taints its node has
 * registered.
 */
const ENTRY = 'windlass.dev/initializer';

const schema = z.object({
  /** The uid of the Machine. */
  machine: z.string(),
  /** Whether its node gets the default taint of the control plane. */
  tainted: z.boolean(),
});

export type Initializer = z.infer<typeof schema>;

type Remembering = Pick<KubeObject, 'metadata'>;

/** The machine that has most recently initialized the control plane; undefined if that was never recorded. */
export const readInitializer = (infrastructure: Remembering | null | undefined): Initializer | undefined => {
  const text = infrastructure?.metadata.annotations?.[ENTRY];
  return text === undefined ? undefined : schema.parse(readJson(text));
};

/** The infrastructure cluster with its initializer recorded; undefined if it already is. */
export const withInitializer = <T extends KubeObject>(infrastructure: T, initializer: Initializer): T | undefined => {
  const entry = JSON.stringify(schema.parse(initializer));
  if (infrastructure.metadata.annotations?.[ENTRY] === entry) return undefined;
  const annotations = { ...infrastructure.metadata.annotations, [ENTRY]: entry };
  return { ...infrastructure, metadata: { ...infrastructure.metadata, annotations } };
};
