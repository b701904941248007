import type { V1Node } from '@kubernetes/client-node';
import type { SystemPod } from '../plan/control-plane/system-pod.ts';
import type { NodeAddress, NodeCondition, NodePatch } from '../plan/machines/node-patch.ts';
import type { WorkloadTarget } from './access.ts';
import type { DrainApi } from './drain.ts';
import { ConnectionFault, faultOf } from './faults.ts';
import type { ServicesApi } from './services.ts';

/** The parts of a bootstrap token Secret that are needed; `data` values are base64. */
export interface TokenSecret {
  metadata: { name: string };
  type?: string;
  data?: Record<string, string>;
}

/** An object of kube-system whose existence shows the progress of a cluster. */
export interface SystemObject {
  kind: 'ConfigMap' | 'Secret';
  name: string;
}

/** Any object, in the form of its manifest. */
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
 * The part of the workload cluster's API that we use. Every method throws WorkloadUnreachableError when the API server
 * does not respond. Other refusals are passed on.
 */
export interface WorkloadClient {
  nodes(): Promise<V1Node[]>;
  /** The static pods of the control plane (label `tier=control-plane` in kube-system). */
  controlPlanePods(): Promise<SystemPod[]>;
  /** Whether an object of kube-system exists. */
  hasSystemObject(object: SystemObject): Promise<boolean>;
  /** The data of a ConfigMap in kube-system; undefined if it does not exist. */
  systemConfigMap(name: string): Promise<Readonly<Record<string, string>> | undefined>;
  /** Runs a command in a container. A failure of the command is part of the result. */
  execute(command: PodCommand): Promise<CommandResult>;
  patchNode(name: string, patch: NodePatch): Promise<void>;
  /** Replaces the addresses in a node's status, and returns the updated node. */
  setNodeAddresses(name: string, addresses: readonly NodeAddress[]): Promise<V1Node>;
  /**
   * Sets one condition in a node's status; `now` is the time of the observation. Succeeds if the node no longer exists.
   */
  setNodeCondition(name: string, condition: NodeCondition, now: Date): Promise<void>;
  /**
   * The name of the workload that runs a cloud controller manager in the cluster (`DaemonSet kube-system/…`); undefined
   * if there is none.
   */
  cloudController(): Promise<string | undefined>;
  /**
   * Deletes the node. Succeeds if the node is gone already, or if it has another provider id than the given one: then
   * it belongs to a newer instance with the same address, and therefore the same name.
   */
  deleteNode(name: string, providerId?: string): Promise<void>;
  /** When a bootstrap token expires, by the name of its Secret; undefined if it does not exist or never expires. */
  bootstrapTokenExpiry(name: string): Promise<Date | undefined>;
  /** All bootstrap tokens by the names of their Secrets, without their secret part. */
  bootstrapTokens(): Promise<{ name: string; description: string }[]>;
  /** Creates the bootstrap token Secret in kube-system, or extends the expiration of an existing one. */
  putBootstrapToken(secret: TokenSecret): Promise<void>;
  /** Removes a bootstrap token Secret. Succeeds if it is gone already. */
  deleteBootstrapToken(name: string): Promise<void>;
  /**
   * Applies an object by server-side apply, and takes over fields from other managers if necessary. An object of a
   * namespaced kind without a namespace is put into `default`. Throws WorkloadRefusedError.
   */
  apply(object: AnyObject, manager: string): Promise<void>;
  /**
   * Sets the fields of an object by a merge patch, or creates the object. A merge patch replaces complete lists.
   * Accepts what server-side apply cannot merge. Returns the server's warnings, which may quote the object. Throws
   * WorkloadRefusedError.
   */
  merge(object: AnyObject, manager: string): Promise<readonly string[]>;
  /** Whether an object of that kind and name exists. Throws WorkloadRefusedError. */
  exists(object: AnyObject): Promise<boolean>;
  /** The object of that kind and name; undefined if it does not exist. Throws WorkloadRefusedError. */
  read(object: AnyObject): Promise<AnyObject | undefined>;
  /**
   * Creates the object, or leaves an existing one with its name unchanged. Returns the server's warnings, which may
   * quote the object. `manager`: the manager of its fields, `windlass` by default. Throws WorkloadRefusedError.
   */
  create(object: AnyObject, manager?: string): Promise<readonly string[]>;
  /**
   * Replaces the version from which the object was derived, and returns the new one. Throws ConflictError if another
   * writer was faster, and otherwise WorkloadRefusedError.
   */
  replace(object: AnyObject): Promise<AnyObject>;
  /** The requests with which a node is drained. */
  drain: DrainApi;
  /** Services, and their load balancers. */
  services: ServicesApi;
  /** Closes the connections. */
  close(): Promise<void>;
}

/**
 * Opens a client, which connects with the first request. If a kubeconfig is refused (access.ts), the API server counts
 * as unreachable.
 */
export type ConnectWorkload = (target: WorkloadTarget) => WorkloadClient;

/** The API server of the workload cluster cannot be reached; `message` gives the reason in our words. */
export class WorkloadUnreachableError extends Error {
  override readonly name = 'WorkloadUnreachable';
}

/** One cause of a refusal: the error in a field, without its value. */
export interface RefusalCause {
  reason: string;
  field: string;
}

/**
 * The API server of the workload cluster refuses a request. The message contains the code, the reason and the fields,
 * and quotes nothing. `words` is the server's own text, truncated. It may quote the request, so it is only for requests
 * without secrets.
 */
export class WorkloadRefusedError extends Error {
  override readonly name = 'WorkloadRefused';
  readonly code: number;
  readonly reason: string;
  readonly causes: readonly RefusalCause[];
  /** The message without the name of the server. */
  readonly refused: string;
  /** A private field, because Lambda writes the fields of an error into the log. */
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

/** The error for a request without a response, or with a response that only says that the server cannot answer. */
export const unreachable = (error: unknown): WorkloadUnreachableError =>
  new WorkloadUnreachableError(`the workload cluster's API server did not answer: ${faultOf(error)}`, {
    cause: error instanceof ConnectionFault ? error : undefined,
  });
