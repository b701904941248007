/**
 * Whose node it is, as long as it has no provider id. A node is then identified by a name that contains an address of
 * its instance. When an instance ends, another one of its subnet may get the address, while the machine of the first one
 * still waits for its node; and the addresses of two networks may be the same.
 */
import type { V1Node } from '@kubernetes/client-node';
import type { ProvidedMachine } from './registry.ts';

const launchedAt = ({ object, facts }: ProvidedMachine): string =>
  facts.decidedAt ?? object.metadata.creationTimestamp ?? '';

/** Whether an instance was launched after another one; of the same age, the uid decides. */
const isLater = (one: ProvidedMachine, other: ProvidedMachine): boolean => {
  const [at, since] = [launchedAt(one), launchedAt(other)];
  return at === since ? (one.object.metadata.uid ?? '') > (other.object.metadata.uid ?? '') : at > since;
};

const hasWholeName = (node: V1Node, { provider, object }: ProvidedMachine): boolean =>
  provider.nodeController?.hasWholeName?.(node, object) === true;

/**
 * Whether the name of a node identifies `other`, an instance other than the one with `providerID`. An instance that has
 * ended has no node. Pure.
 */
export const mayBeNodeOf = (
  node: V1Node,
  { provider, object, facts }: ProvidedMachine,
  providerID: string | undefined,
): boolean =>
  // A copy of the machine refers to the same instance.
  !facts.gone && object.spec.providerID !== providerID && provider.findNode([node], object) !== undefined;

/**
 * Whether a node that identifies `own` by its name identifies one of `others` rather: one with exactly this name, or
 * else the one that was launched last, because an address is free again only when its instance has ended. Pure.
 */
export const isNodeOfAnother = (node: V1Node, own: ProvidedMachine, others: Iterable<ProvidedMachine>): boolean =>
  [...others].some((other) => {
    if (!mayBeNodeOf(node, other, own.object.spec.providerID)) return false;
    const isExact = hasWholeName(node, other);
    return isExact === hasWholeName(node, own) ? isLater(other, own) : isExact;
  });
