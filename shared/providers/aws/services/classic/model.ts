import type { Service } from '../../../../plan/services/service.ts';
import type { IngressPermission } from '../../network/security-groups/model.ts';
import type { Tags } from '../../tags.ts';

/** The observed and the desired state of a Service's classic load balancer. Nothing here uses the SDK. */

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

/** The attributes that are set; all others have AWS's defaults. */
export interface ClassicAttributes {
  readonly isCrossZone: boolean;
  readonly idleSeconds: number;
  /** Undefined: there is no connection draining. */
  readonly drainingSeconds?: number;
  /** Undefined: nothing is logged. */
  readonly accessLog?: { readonly bucket: string; readonly prefix: string; readonly intervalMinutes: number };
}

export interface DesiredClassic {
  readonly type: 'classic';
  readonly service: Service;
  readonly name: string;
  readonly isInternal: boolean;
  /** Entries of the annotation: ids, or values of the tag Name. Undefined: they are selected by their tags. */
  readonly subnets?: readonly string[];
  readonly tags: Tags;
  /** The tags in the annotation, which are also set on an existing load balancer. */
  readonly additionalTags: Tags;
  readonly attributes: ClassicAttributes;
  readonly listeners: readonly ClassicListener[];
  readonly check: ClassicCheck;
  readonly sourceRanges: readonly string[];
  readonly instanceIds: readonly string[];
  /** Ids in the annotation; undefined: it has its own group. */
  readonly groupIds?: readonly string[];
  readonly extraGroupIds: readonly string[];
  readonly hasProxyProtocol: boolean;
  /** AWS's name of the policy; undefined: listeners keep theirs. */
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
