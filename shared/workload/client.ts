import type { V1Node, V1Pod } from '@kubernetes/client-node';

/** A change of a node's metadata and taints; what is absent stays. A `null` label or annotation is removed. */
export interface NodePatch {
  labels?: Record<string, string | null>;
  annotations?: Record<string, string | null>;
  taints?: NonNullable<NonNullable<V1Node['spec']>['taints']>;
}

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

/**
 * The created cluster's own API, exactly as far as we use it. Every method throws WorkloadUnreachableError when the API
 * server does not answer; other refusals pass as they are.
 */
export interface WorkloadClient {
  nodes(): Promise<V1Node[]>;
  /** The static pods that make control plane (label `tier=control-plane` in kube-system). */
  controlPlanePods(): Promise<V1Pod[]>;
  /** Whether an object of kube-system exists. */
  hasSystemObject(object: SystemObject): Promise<boolean>;
  patchNode(name: string, patch: NodePatch): Promise<void>;
  /** Deletes the node; one that is gone already is success. */
  deleteNode(name: string): Promise<void>;
  /** When a bootstrap token expires, by the name of its Secret; undefined where there is none, or one without an end. */
  bootstrapTokenExpiry(name: string): Promise<Date | undefined>;
  /** Creates the bootstrap token Secret in kube-system, or moves the expiration of the one that is there. */
  putBootstrapToken(secret: TokenSecret): Promise<void>;
  /** Removes a bootstrap token Secret; one that is gone already is success. */
  deleteBootstrapToken(name: string): Promise<void>;
  /** Closes the connections. */
  close(): Promise<void>;
}

/** Opens a client for a kubeconfig; connects with the first request. */
export type ConnectWorkload = (kubeconfig: string) => WorkloadClient;

/** The API server of the created cluster cannot be reached; `message` says why (refused, timed out, TLS). */
export class WorkloadUnreachableError extends Error {
  override readonly name = 'WorkloadUnreachable';
}
