import type { Cluster } from '../../../kinds/cluster/schema.ts';
import type { JsonObject } from '../../../kube-api/json.ts';
import type { ClassHook, LifecycleHook } from '../../hooks/catalog.ts';
import { TopologyError } from '../error.ts';
import { AnswerNeeded, type HandlerAnswer, type Knowledge, NO_EXTENSIONS } from './knowledge.ts';
import { type Blocked, type HookMemory, hookMemoryOf, withHookMemory } from './memory.ts';

/** A hook that blocks, with the messages of its extensions. */
export interface Blocking {
  hook: LifecycleHook;
  message: string;
}

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * The Cluster in the form that extensions get: without its status, and without fields that only servers and clients
 * need.
 */
const sent = (cluster: Cluster): JsonObject => {
  const { apiVersion, kind, spec, metadata } = cluster;
  const { managedFields: _, annotations, ...rest } = metadata;
  const kept = Object.entries(annotations ?? {}).filter(([key]) => key !== LAST_APPLIED);
  return {
    apiVersion,
    kind,
    metadata: { ...rest, ...(annotations ? { annotations: Object.fromEntries(kept) } : {}) },
    spec,
  } as unknown as JsonObject;
};

/**
 * The hooks of one plan for one cluster: those that are called, those that block, and what must be recorded. A new
 * session is created for each attempt of a plan, so that the same knowledge leads to the same record.
 */
export class HookSession {
  readonly blocking: Blocking[] = [];
  private readonly cluster: Cluster;
  private readonly knowledge: Knowledge;
  private readonly now: Date;
  private readonly pending: Set<string>;
  private readonly blocked: Map<string, Blocked>;
  private readonly before: HookMemory;
  private readonly later = new Set<string>();
  private isOkToDelete: boolean;

  constructor(cluster: Cluster, knowledge: Knowledge, now: Date) {
    this.cluster = cluster;
    this.knowledge = knowledge;
    this.now = now;
    this.before = hookMemoryOf(cluster);
    this.pending = new Set(this.before.pending);
    this.blocked = new Map([...this.before.blocked].filter(([, { until }]) => until > now));
    this.isOkToDelete = this.before.okToDelete;
  }

  /** What is recorded before the plan is carried out. */
  get memory(): HookMemory {
    return { pending: this.pending, okToDelete: this.isOkToDelete, blocked: this.blocked };
  }

  /** The Cluster with what is recorded after the plan has been carried out. */
  remembered(cluster: Cluster): Cluster {
    return withHookMemory(cluster, { ...this.memory, pending: new Set([...this.pending, ...this.later]) });
  }

  isPending(hook: LifecycleHook): boolean {
    return this.pending.has(hook);
  }

  /** Whether there are extensions. Throws AnswerNeeded if that is not known yet. */
  get isEnabled(): boolean {
    if (this.knowledge.served === undefined) throw new AnswerNeeded({ ask: 'extensions' });
    return this.knowledge.isEnabled;
  }

  /** Records that hooks have to be called; nothing in an installation without extensions. */
  markPending(...hooks: LifecycleHook[]): void {
    if (this.isEnabled) for (const hook of hooks) this.pending.add(hook);
  }

  /** The same, but only once the plan has been carried out: the hooks belong to its changes. */
  markPendingAfterwards(...hooks: LifecycleHook[]): void {
    if (this.isEnabled) for (const hook of hooks) this.later.add(hook);
  }

  markDone(hook: LifecycleHook): void {
    this.pending.delete(hook);
  }

  markOkToDelete(): void {
    if (this.isEnabled) this.isOkToDelete = true;
  }

  private block(hook: LifecycleHook, blocked: Blocked): boolean {
    this.blocking.push({ hook, message: blocked.message });
    this.blocked.set(hook, blocked);
    return false;
  }

  /** Adds a reason for blocking that does not come from an extension. */
  blockedBy(hook: LifecycleHook, message: string): void {
    this.blocking.push({ hook, message });
  }

  /**
   * Calls all extensions of a hook, if there are any and none of them has asked to be called later. True if the cluster
   * may continue. Throws AnswerNeeded, and TopologyError if a call has failed.
   */
  passes(hook: LifecycleHook, body: JsonObject = {}): boolean {
    const { served, lifecycle } = this.knowledge;
    if (served === undefined) throw new AnswerNeeded({ ask: 'extensions' });
    this.blocked.delete(hook);
    if (!served.has(hook)) return true;
    const answer = lifecycle.get(hook);
    const before = this.before.blocked.get(hook);
    if (!answer && before && before.until > this.now) return this.block(hook, before);
    if (!answer) throw new AnswerNeeded({ ask: 'lifecycle', hook, body: { cluster: this.sentCluster, ...body } });
    if ('error' in answer) throw new TopologyError(answer.error);
    const { retryAfterSeconds, message } = answer;
    if (retryAfterSeconds === 0) return true;
    return this.block(hook, { message, until: new Date(this.now.getTime() + retryAfterSeconds * 1000) });
  }

  /** Calls a pending hook, and records that it was called. True if the cluster may continue. */
  passesOnce(hook: LifecycleHook, body: () => JsonObject): boolean {
    if (!this.isPending(hook)) return true;
    const passes = this.passes(hook, body());
    if (passes) this.markDone(hook);
    return passes;
  }

  /** The response of the handler that a class names; `key` distinguishes the calls of a plan. Throws AnswerNeeded. */
  handler(hook: ClassHook, handler: string, key: string, body: JsonObject): HandlerAnswer {
    const answer = this.knowledge.handlers.get(key);
    if (answer) return answer;
    if (!this.knowledge.canAsk) {
      throw new TopologyError(`failed to call extension handler "${handler}": extensions are not called here`);
    }
    throw new AnswerNeeded({ ask: 'handler', key, hook, handler, body });
  }

  /** The Cluster as it is sent to extensions. */
  get sentCluster(): JsonObject {
    return sent(this.cluster);
  }
}

/** The session of a cluster in an installation without extensions. */
export const withoutExtensions = (cluster: Cluster): HookSession =>
  new HookSession(cluster, NO_EXTENSIONS, new Date(0));
