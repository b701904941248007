/** The hooks of Cluster API's Runtime SDK that Windlass calls (api/runtime/hooks/v1alpha1). */

export const HOOK_GROUP = 'hooks.runtime.cluster.x-k8s.io';

/** The only version of all hooks. */
export const HOOK_API_VERSION = `${HOOK_GROUP}/v1alpha1`;

/** Hooks for the lifecycle of a cluster: all extensions that serve such a hook are called. */
export const LIFECYCLE_HOOKS = [
  'BeforeClusterCreate',
  'AfterControlPlaneInitialized',
  'BeforeClusterUpgrade',
  'BeforeControlPlaneUpgrade',
  'AfterControlPlaneUpgrade',
  'BeforeWorkersUpgrade',
  'AfterWorkersUpgrade',
  'AfterClusterUpgrade',
  'BeforeClusterDelete',
] as const;

export type LifecycleHook = (typeof LIFECYCLE_HOOKS)[number];

/** Hooks for which a ClusterClass names a handler. */
const CLASS_HOOKS = ['GeneratePatches', 'ValidateTopology', 'DiscoverVariables', 'GenerateUpgradePlan'] as const;

export type ClassHook = (typeof CLASS_HOOKS)[number];

/** Hooks of upstream that extensions may serve and that Windlass never calls: in-place updates. */
const UNCALLED_HOOKS = ['CanUpdateMachine', 'CanUpdateMachineSet', 'UpdateMachine'] as const;

export type Hook = LifecycleHook | ClassHook;

const KNOWN: readonly string[] = ['Discovery', ...LIFECYCLE_HOOKS, ...CLASS_HOOKS, ...UNCALLED_HOOKS];

/** Whether upstream's catalog has the hook. */
export const isKnownHook = (apiVersion: string, hook: string): boolean =>
  apiVersion === HOOK_API_VERSION && KNOWN.includes(hook);

/** The name of a hook in errors. */
export const groupHook = (hook: string): string => `${hook}.${HOOK_GROUP}`;

/** The path of a hook, or of one of its handlers, below the URL of an extension (GVHToPath). */
export const hookPath = (hook: string, handler?: string): string =>
  `/${HOOK_API_VERSION}/${hook.toLowerCase()}${handler === undefined ? '' : `/${handler.toLowerCase()}`}`;
