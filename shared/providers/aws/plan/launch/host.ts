import type { AWSMachine } from '../../../../kinds/index.ts';
import type { Tags } from '../../tags.ts';
import type { LaunchRequest } from './request.ts';

/** A Dedicated Host that was allocated for a machine. */
export interface HeldHost {
  id: string;
  state: string;
  zone: string;
  instanceType: string;
}

/** Whether a Dedicated Host is allocated for the machine. */
export const wantsHost = ({ spec }: AWSMachine): boolean => spec.dynamicHostAllocation !== undefined;

/** The host's own tags take precedence over those of the instance, except for the ownership tags. */
export const hostTags = ({ spec }: AWSMachine, instanceTags: Tags): Tags => {
  const isOurs = (key: string) => /^(sigs\.k8s\.io|windlass\.dev|kubernetes\.io)\//.test(key) || key === 'MachineName';
  const own = Object.entries(instanceTags).filter(([key]) => isOurs(key));
  return { ...instanceTags, ...spec.dynamicHostAllocation?.tags, ...Object.fromEntries(own) };
};

/** The request with the instance placed on this host. */
export const onHost = (request: LaunchRequest, hostId: string): LaunchRequest => ({
  ...request,
  Placement: { ...request.Placement, HostId: hostId },
});

const USABLE = new Set(['available', 'pending']);

/**
 * The host on which the instance is placed, preferably the recorded one, and those that are left over: they were for
 * another type or zone for which EC2 had no capacity, or have failed.
 */
export const chooseHost = (
  held: readonly HeldHost[],
  wanted: Pick<HeldHost, 'zone' | 'instanceType'>,
  recorded: string | undefined,
): { use?: HeldHost; leftOver: HeldHost[] } => {
  const fitting = held
    .filter(
      ({ zone, instanceType, state }) =>
        zone === wanted.zone && instanceType === wanted.instanceType && USABLE.has(state),
    )
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const use = fitting.find(({ id }) => id === recorded) ?? fitting[0];
  return { ...(use ? { use } : {}), leftOver: held.filter(({ id }) => id !== use?.id) };
};
