/** For tests: an extension in memory that serves all lifecycle hooks and responds as the test specifies. */
import type { CallExtension, ExtensionCall } from '../../../shared/extensions/transport.ts';
import { type ExtensionConfig, kinds } from '../../../shared/kinds/index.ts';
import { HOOK_API_VERSION, LIFECYCLE_HOOKS } from '../../../shared/plan/hooks/catalog.ts';
import type { TestDatabase } from '../../../shared/store/test-table.ts';
import { context } from '../objects/test-world.ts';
import { makeManagedCluster } from './test-topology.ts';

const handlerOf = (name: string, hook: string) => ({ name, requestHook: { apiVersion: HOOK_API_VERSION, hook } });

export const HANDLERS = [
  ...LIFECYCLE_HOOKS.map((hook) => handlerOf(hook.toLowerCase(), hook)),
  handlerOf('generate', 'GeneratePatches'),
  handlerOf('discover', 'DiscoverVariables'),
];

type Answer = object | Error | ((request: never) => object);

export const extension = (more: object = {}): ExtensionConfig => ({
  apiVersion: 'runtime.cluster.x-k8s.io/v1beta2',
  kind: 'ExtensionConfig',
  metadata: { name: 'policy' },
  spec: { clientConfig: { url: 'arn:aws:lambda:us-east-1:123456789012:function:policy' }, ...more },
});

/** A managed cluster in an installation that can call the extension once it is installed. */
export const makeHookedCluster = async (database: TestDatabase) => {
  const calls: ExtensionCall[] = [];
  const answers = new Map<string, Answer>();
  const meanwhile = new Map<string, () => Promise<unknown>>();
  const callExtension: CallExtension = async (call) => {
    if (call.hook === 'Discovery') return { status: 'Success', handlers: HANDLERS };
    calls.push(call);
    await meanwhile.get(call.hook)?.();
    const answer = answers.get(call.hook) ?? {};
    if (answer instanceof Error) throw answer;
    return { status: 'Success', ...(typeof answer === 'function' ? answer(call.request as never) : answer) };
  };
  const managed = await makeManagedCluster(database, [], callExtension);
  const key = { namespace: 'default', name: 'managed' };
  const annotations = async () => (await managed.cluster()).metadata.annotations ?? {};
  return {
    ...managed,
    calls,
    /** The response of the extension to each hook; success by default. */
    answers,
    /** What others do while a hook is called. */
    meanwhile,
    annotations,
    hooks: () => calls.map(({ hook }) => hook),
    pending: async () => (await annotations())['runtime.cluster.x-k8s.io/pending-hooks'],
    waitOf: async () => (await managed.steps.finish(managed.input, context)).waitSeconds,
    install: (config = extension()) => managed.objects.ensure(kinds.extensionConfig, config),
    /** The control plane reports that it is initialized. */
    initialized: () =>
      managed.objects.mutate(kinds.cluster, key, (cluster) => ({
        ...cluster,
        status: {
          ...cluster.status,
          conditions: [
            ...(cluster.status?.conditions ?? []),
            {
              type: 'ControlPlaneInitialized',
              status: 'True' as const,
              reason: 'Initialized',
              message: '',
              lastTransitionTime: '2026-01-01T00:00:00Z',
            },
          ],
        },
      })),
  };
};

export type HookedCluster = Awaited<ReturnType<typeof makeHookedCluster>>;
