/** Stories of classes without machines. Only what their topologies apply is compared, which is fast. */
import type { Edit, Story, Target } from '../story.ts';
import { readObjects } from '../templates.ts';

type Told = Pick<Story, 'about' | 'steps'> & Partial<Story>;

/** A story whose class, cluster, namespace and file have the same name. */
export const storyOf = (name: string, story: Told): Story => ({
  name,
  cluster: name,
  upstream: 'AWS',
  objects: (provider) => readObjects(provider, 'elsewhere', name),
  ...story,
});

export const clusterOf = (name: string): Target => ({ plural: 'clusters', name });
export const classOf = (name: string): Target => ({ plural: 'clusterclasses', name });
export const WORKER: Target = { plural: 'kubeadmconfigtemplates', name: 'worker' };

/** Sets an annotation without meaning, which makes upstream reconcile a cluster. */
export const look = (name: string): Edit => ({
  what: 'a look',
  of: clusterOf(name),
  edit: ({ metadata }) => {
    const { looks = '', ...others } = metadata.annotations ?? {};
    metadata.annotations = { ...others, looks: `${looks}I` };
  },
});
