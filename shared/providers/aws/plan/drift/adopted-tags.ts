import type { AWSMachine } from '../../../../kinds/index.ts';
import type { Tags } from '../../tags.ts';
import type { PlacedMachine, TagChange } from './difference.ts';

/** How the machine's own tags follow the observed change; undefined if no tag of a user was changed. */
export const adoptedTags = (
  { infrastructure, awsCluster }: PlacedMachine,
  differing: Tags,
  observed: Tags,
): TagChange | undefined => {
  const own = infrastructure.spec.additionalTags ?? {};
  const isUsers = (key: string) => key === 'Name' || key in own || key in (awsCluster.spec.additionalTags ?? {});
  const changes = Object.keys(differing).filter((key) => isUsers(key) && (key in observed || key in own));
  if (changes.length === 0) return undefined;
  const taken = changes.flatMap((key): [string, string][] => (key in observed ? [[key, observed[key] ?? '']] : []));
  return { set: Object.fromEntries(taken), gone: changes.filter((key) => !(key in observed)) };
};

type Tagged = Pick<AWSMachine['spec'], 'additionalTags'>;

/** The current tags after the change, without what a user has changed since `before` was read. */
export const withTagChange = (current: Tagged, before: Tagged, { set, gone }: TagChange): Tags => {
  const [own, known] = [current.additionalTags ?? {}, before.additionalTags ?? {}];
  const isAsRead = (key: string): boolean => own[key] === known[key];
  const kept = Object.entries(own).filter(([key]) => !(gone.includes(key) && isAsRead(key)));
  const taken = Object.entries(set).filter(([key]) => isAsRead(key));
  return Object.fromEntries([...kept, ...taken]);
};
