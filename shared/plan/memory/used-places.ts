import * as z from 'zod';
import { readJson } from '../../decode/json.ts';
import type { KubeObject, OwnerReference } from '../../kube-api/object.ts';
import { placeOfName } from '../names.ts';

/**
 * The record on the infrastructure cluster of the positions of deleted machines, by the uid of their owner: one above
 * the highest. New machines get positions from there on, so that no name is reused. It is written while the machine
 * still exists, so that two passes that see the same machines choose the same names.
 */
const ENTRY = 'windlass.dev/used-places';

/** Sets are created and deleted with each rollout: those without a deletion for the longest time are forgotten. */
const MOST_OWNERS = 256;

const schema = z.record(z.string(), z.int().min(0));

type Remembering = Pick<KubeObject, 'metadata'>;

const read = ({ metadata }: Remembering): Record<string, number> => {
  const text = metadata.annotations?.[ENTRY];
  return text === undefined ? {} : schema.parse(readJson(text));
};

/** The lowest position that an owner may use for a new machine. 0 if there is no infrastructure cluster. */
export const firstFreePlace = (infrastructure: Remembering | null, owner: Remembering): number =>
  (infrastructure && read(infrastructure)[owner.metadata.uid ?? '']) ?? 0;

/** The infrastructure cluster with the deletion of a machine recorded; undefined if nothing has to be recorded. */
export const withUsedPlace = <T extends KubeObject>(infrastructure: T, machine: Remembering): T | undefined => {
  const owner = machine.metadata.ownerReferences?.find(({ controller }: OwnerReference) => controller);
  if (!owner) return undefined;
  const { [owner.uid]: first = 0, ...others } = read(infrastructure);
  const place = placeOfName(owner, machine.metadata.name, first);
  if (place === undefined) return undefined;
  const latest = Object.entries(others).slice(1 - MOST_OWNERS);
  const entry = JSON.stringify(Object.fromEntries([...latest, [owner.uid, place + 1]]));
  const annotations = { ...infrastructure.metadata.annotations, [ENTRY]: entry };
  return { ...infrastructure, metadata: { ...infrastructure.metadata, annotations } };
};
