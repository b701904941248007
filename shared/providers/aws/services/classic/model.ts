import type { Service } from '../../../../plan/services/service.ts';
import type { IngressPermission } from '../../network/security-groups/model.ts';
import type { Tags } from '../../tags.ts';

/** The classic load balancer of a Service as it is and as it should be. Nothing here knows the SDK. */

export interface ClassicListener {
  readonly port: number;
  /** `TCP`, `SSL`, `HTTP` or `HTTPS`. */
  readonly protocol: string;
  readonly instancePort: number;
  readonly instanceProtocol: string;
  readonly certificateArn?: string;
}

export interface ClassicCheck {
  /** `TCP:31000` or `HTTP:31000/healthz`. */
  readonly target: string;
  readonly intervalSeconds: number;
  readonly timeoutSeconds: number;
  readonly healthyThreshold: number;
  readonly unhealthyThreshold: number;
}

/** What of it is set; the rest is AWS's default. */
export interface ClassicAttributes {
  readonly isCrossZone: boolean;
  readonly idleSeconds: number;
  /** Undefined: connections are not drained. */
  readonly drainingSeconds?: number;
  /** Undefined: nothing is logged. */
  readonly accessLog?: { readonly bucket: string; readonly prefix: string; readonly intervalMinutes: number };
}

export interface DesiredClassic {
  readonly type: 'classic';
  readonly service: Service;
  readonly name: string;
  readonly isInternal: boolean;
  /** Entries of the annotation: ids, or values of the tag Name. Undefined: they are chosen by their tags. */
  readonly subnets?: readonly string[];
  readonly tags: Tags;
  /** Those of the annotation, which an existing load balancer gets too. */
  readonly additionalTags: Tags;
  readonly attributes: ClassicAttributes;
  readonly listeners: readonly ClassicListener[];
  readonly check: ClassicCheck;
  readonly sourceRanges: readonly string[];
  readonly instanceIds: readonly string[];
  /** Ids that the annotation names; undefined: a group of its own. */
  readonly groupIds?: readonly string[];
  readonly extraGroupIds: readonly string[];
  readonly hasProxyProtocol: boolean;
  /** AWS's name of it; undefined: listeners keep theirs. */
  readonly sslPolicy?: string;
}

export interface ObservedClassicListener extends ClassicListener {
  readonly policies: readonly string[];
}

export interface ObservedClassic {
  readonly name: string;
  readonly dnsName: string;
  readonly vpcId: string;
  readonly subnetIds: readonly string[];
  readonly groupIds: readonly string[];
  readonly tags: Tags;
  readonly attributes: ClassicAttributes;
  readonly listeners: readonly ObservedClassicListener[];
  /** Names of policies by instance port. */
  readonly backends: ReadonlyMap<number, readonly string[]>;
  /** Names of the policies that exist. */
  readonly policies: readonly string[];
  readonly check: ClassicCheck;
  readonly instanceIds: readonly string[];
}

export type ClassicPolicy = { readonly kind: 'proxy' | 'ssl'; readonly name: string; readonly value: string };

export type ClassicAction =
  | { type: 'CreateClassicGroup'; name: string; description: string; vpcId: string; tags: Tags }
  | { type: 'OpenClassicGroup'; groupId: string; permissions: readonly IngressPermission[]; tags: Tags }
  | { type: 'CloseClassicGroup'; groupId: string; permissions: readonly IngressPermission[] }
  | {
      type: 'CreateClassic';
      name: string;
      isInternal: boolean;
      subnetIds: readonly string[];
      groupIds: readonly string[];
      listeners: readonly ClassicListener[];
      tags: Tags;
    }
  | { type: 'AttachSubnets'; name: string; subnetIds: readonly string[] }
  | { type: 'DetachSubnets'; name: string; subnetIds: readonly string[] }
  | { type: 'SetClassicGroups'; name: string; groupIds: readonly string[] }
  | { type: 'DeleteClassicListeners'; name: string; ports: readonly number[] }
  | { type: 'CreateClassicListeners'; name: string; listeners: readonly ClassicListener[] }
  | { type: 'CreatePolicy'; name: string; policy: ClassicPolicy }
  | { type: 'SetListenerPolicies'; name: string; port: number; policies: readonly string[] }
  | { type: 'SetBackendPolicies'; name: string; instancePort: number; policies: readonly string[] }
  | { type: 'AddClassicTags'; name: string; tags: Tags }
  | { type: 'SetClassicAttributes'; name: string; attributes: ClassicAttributes }
  | { type: 'SetClassicCheck'; name: string; check: ClassicCheck }
  | { type: 'RegisterInstances'; name: string; instanceIds: readonly string[] }
  | { type: 'DeregisterInstances'; name: string; instanceIds: readonly string[] }
  | { type: 'DeleteClassic'; name: string };
