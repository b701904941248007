import type { AnyObject } from '../../../workload/client.ts';

/** The parts of a Deployment or DaemonSet that are read and changed. */
export interface PodTemplated extends AnyObject {
  spec?: {
    template?: {
      spec?: {
        containers?: { name: string; image?: string }[];
        volumes?: { name: string; configMap?: { name?: string; items?: { key: string; path: string }[] } }[];
      };
    };
  };
}

type PodSpec = NonNullable<NonNullable<NonNullable<PodTemplated['spec']>['template']>['spec']>;

export const podSpecOf = ({ spec }: PodTemplated): PodSpec => spec?.template?.spec ?? {};

/** The same with another pod template. */
const withPodSpec = (object: PodTemplated, change: Partial<PodSpec>): PodTemplated => ({
  ...object,
  spec: {
    ...object.spec,
    template: { ...object.spec?.template, spec: { ...podSpecOf(object), ...change } },
  },
});

/** The image of the container with that name; undefined if there is none. */
export const imageOf = (object: PodTemplated, container: string): string | undefined =>
  podSpecOf(object).containers?.find(({ name }) => name === container)?.image;

export const withImage = (object: PodTemplated, container: string, image: string): PodTemplated =>
  withPodSpec(object, {
    containers: podSpecOf(object).containers?.map((one) => (one.name === container ? { ...one, image } : one)),
  });
