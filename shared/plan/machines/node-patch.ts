import type { V1Node } from '@kubernetes/client-node';

/**
 * A change of a node's metadata and spec; absent fields are left unchanged. A `null` label or annotation is removed.
 */
export interface NodePatch {
  /**
   * The version for which the change was planned; with another version, it fails with a ConflictError. Without it, any
   * version is changed.
   */
  resourceVersion?: string;
  providerID?: string;
  labels?: Record<string, string | null>;
  annotations?: Record<string, string | null>;
  taints?: NonNullable<NonNullable<V1Node['spec']>['taints']>;
}

/** An address in a node's status. */
export interface NodeAddress {
  type: string;
  address: string;
}

/** A condition in a node's status. */
export interface NodeCondition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  reason: string;
  message: string;
}
