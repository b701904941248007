import type { V1Node } from '@kubernetes/client-node';
import type { SystemPod } from '../plan/control-plane/system-pod.ts';
import type { NodeAddress, NodeCondition, NodePatch } from '../plan/machines/node-patch.ts';
import type { WorkloadTarget } from './access.ts';
import type { DrainApi } from './drain.ts';
import { ConnectionFault, faultOf } from './faults.ts';
import type { ServicesApi } from './services.ts';

/** What is needed of a bootstrap token Secret; `data` values are base64. */
export interface TokenSecret {
  metadata: { name: string };
  type?: string;
  data?: Record<string, string>;
}

/** An object of kube-system by which one sees how far a cluster is. */
export interface SystemObject {
  kind: 'ConfigMap' | 'Secret';
  name: string;
}

/** Any object, as in its manifest. */
export interface AnyObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; [field: string]: unknown };
  [field: string]: unknown;
}

/** A command for a container of the workload cluster, like `kubectl exec`. */
export interface PodCommand {
  namespace: string;
  pod: string;
  container: string;
  command: readonly string[];
}

export interface CommandResult {
  stdout: string;
  stderr: string;
  /** The exit code. */
  code: number;
}

/**
 * The created cluster's own API, exactly as far as we use it. Every method throws WorkloadUnreachableError when the API
 * server does not answer; other refusals pass as they are.
 */
export interface WorkloadClient {
  nodes(): Promise<V1Node[]>;
  /** The static pods that make control plane (label `tier=control-plane` in kube-system). */
  controlPlanePods(): Promise<SystemPod[]>;
  /** Whether an object of kube-system exists. */
  hasSystemObject(object: SystemObject): Promise<boolean>;
  /** The data of a ConfigMap in kube-system; undefined if it does not exist. */
  systemConfigMap(name: string): Promise<Readonly<Record<string, string>> | undefined>;
  /** Runs a command in a container; a failure of the command is in the result. */
  execute(command: PodCommand): Promise<CommandResult>;
  patchNode(name: string, patch: NodePatch): Promise<void>;
  /** Replaces the addresses in a node's status, and returns the node as it is then. */
  setNodeAddresses(name: string, addresses: readonly NodeAddress[]): Promise<V1Node>;
  /** Sets one condition in a node's status; `now` is when it was found. A node that is gone is success. */
  setNodeCondition(name: string, condition: NodeCondition, now: Date): Promise<void>;
  /**
   * Name of the workload that is a cloud controller manager in the cluster (`DaemonSet kube-system/…`); undefined if
   * there is none.
   */
  cloudController(): Promise<string | undefined>;
  /**
   * Deletes the node; one that is gone already is success, and so is one that has another provider id than the given one:
   * it belongs to a newer instance with the same address, and therefore the same name.
   */
  deleteNode(name: string, providerId?: string): Promise<void>;
  /** When a bootstrap token expires, by the name of its Secret; undefined if it does not exist, or never expires. */
  bootstrapTokenExpiry(name: string): Promise<Date | undefined>;
  /** All bootstrap tokens, by the names of their Secrets; without their secret part. */
  bootstrapTokens(): Promise<{ name: string; description: string }[]>;
  /** Creates the bootstrap token Secret in kube-system, or extends the expiration of an existing one. */
  putBootstrapToken(secret: TokenSecret): Promise<void>;
  /** Removes a bootstrap token Secret; one that is gone already is success. */
  deleteBootstrapToken(name: string): Promise<void>;
  /**
   * Applies an object by server-side apply, and takes fields from other managers if necessary. An object of a
   * namespaced kind without a namespace goes into `default`. Throws WorkloadRefusedError.
   */
  apply(object: AnyObject, manager: string): Promise<void>;
  /**
   * Sets the fields of an object by a merge patch, which replaces lists as a whole, or creates it. Accepts what
   * server-side apply cannot merge. Returns the server's warnings, which may quote the object. Throws
   * WorkloadRefusedError.
   */
  merge(object: AnyObject, manager: string): Promise<readonly string[]>;
  /** Whether there is an object of that kind and name. Throws WorkloadRefusedError. */
  exists(object: AnyObject): Promise<boolean>;
  /** The object of that kind and name; undefined if it does not exist. Throws WorkloadRefusedError. */
  read(object: AnyObject): Promise<AnyObject | undefined>;
  /**
   * Creates the object; an existing one with its name is not changed. Returns the server's warnings, which may quote
   * the object. `manager`: the manager of its fields, `windlass` by default. Throws WorkloadRefusedError.
   */
  create(object: AnyObject, manager?: string): Promise<readonly string[]>;
  /**
   * Replaces the version that the object was derived from, and returns the new one. Throws ConflictError if another
   * writer was faster, else WorkloadRefusedError.
   */
  replace(object: AnyObject): Promise<AnyObject>;
  /** What empties a node. */
  drain: DrainApi;
  /** Services, and their load balancers. */
  services: ServicesApi;
  /** Closes the connections. */
  close(): Promise<void>;
}

/**
 * Opens a client. It connects with the first request; a kubeconfig that is refused (access.ts) is an API server that cannot
 * be reached.
 */
export type ConnectWorkload = (target: WorkloadTarget) => WorkloadClient;

/** The API server of the created cluster cannot be reached; `message` gives the reason, in our words. */
export class WorkloadUnreachableError extends Error {
  override readonly name = 'WorkloadUnreachable';
}

/** One cause of a refusal: the error in a field, without its value. */
export interface RefusalCause {
  reason: string;
  field: string;
}

/**
 * The API server of the created cluster refuses a request. The message has code, reason and fields, which quote
 * nothing. `words` is the server's own text, cut; it may quote the request, so it is only for requests without secrets.
 */
export class WorkloadRefusedError extends Error {
  override readonly name = 'WorkloadRefused';
  readonly code: number;
  readonly reason: string;
  readonly causes: readonly RefusalCause[];
  /** The message without who refused. */
  readonly refused: string;
  /** No field of its own, because Lambda writes the fields of an error into the log. */
  readonly #words: string;
  constructor({
    code,
    reason,
    causes,
    words = '',
  }: Pick<WorkloadRefusedError, 'code' | 'reason' | 'causes'> & { words?: string }) {
    const fields = causes.filter(({ field }) => field !== '').map(({ field, reason: why }) => `${field} (${why})`);
    const refused = `${code} ${reason}${fields.length > 0 ? `: ${fields.join(', ')}` : ''}`;
    super(`the cluster's API server refused: ${refused}`);
    this.refused = refused;
    this.code = code;
    this.reason = reason;
    this.causes = causes;
    this.#words = words;
  }

  get words(): string {
    return this.#words;
  }
}

/** The error for a request without an answer, or with one that says only that the server cannot answer. */
export const unreachable = (error: unknown): WorkloadUnreachableError =>
  new WorkloadUnreachableError(`the workload cluster's API server did not answer: ${faultOf(error)}`, {
    cause: error instanceof ConnectionFault ? error : undefined,
  });
