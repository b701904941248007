// A runtime extension as a Lambda function: it blocks creations, upgrades and deletions of clusters with the label
// freeze=true. docs/runtime-extensions.md says how to use it.

const HOOKS = { create: 'BeforeClusterCreate', upgrade: 'BeforeClusterUpgrade', delete: 'BeforeClusterDelete' };

const discovery = () => ({
  status: 'Success',
  handlers: Object.entries(HOOKS).map(([name, hook]) => ({
    name,
    requestHook: { apiVersion: 'hooks.runtime.cluster.x-k8s.io/v1alpha1', hook },
    failurePolicy: 'Fail',
  })),
});

/** The event is the request of the hook, with the names of the hook and of the handler. */
export const handler = async ({ hook, handler: name, cluster }) => {
  if (hook === 'Discovery') return discovery();
  const isFrozen = cluster.metadata.labels?.freeze === 'true';
  return {
    status: 'Success',
    retryAfterSeconds: isFrozen ? 5 : 0,
    message: isFrozen ? `the label freeze holds this ${name}` : '',
  };
};
