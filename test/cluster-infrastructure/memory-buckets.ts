import type { Buckets } from '../../shared/providers/aws/api/buckets.ts';
import type { Tags } from '../../shared/providers/aws/tags.ts';

/** Buckets with the parts that the infrastructure steps use: names with tags. */
export const makeMemoryBuckets = (): Buckets => {
  const buckets = new Map<string, Tags>();
  return {
    tags: async (name) => buckets.get(name),
    create: async (name) => {
      buckets.set(name, {});
    },
    tag: async (name, tags) => {
      buckets.set(name, tags);
    },
    setPolicy: async () => {},
    delete: async (name) => {
      buckets.delete(name);
      return 'deleted';
    },
  };
};
