/**
 * Services of a workload cluster, and which of them get a load balancer. The rules are those of Kubernetes' service
 * controller (k8s.io/cloud-provider, controllers/service/controller.go).
 */

/** Keeps a Service until its load balancer is gone. */
export const CLEANUP_FINALIZER = 'service.kubernetes.io/load-balancer-cleanup';

export interface ServicePort {
  readonly name: string;
  readonly protocol: string;
  readonly port: number;
  /** 0: none was allocated. */
  readonly nodePort: number;
}

/** The fields of a Service that are read. */
export interface Service {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly createdAt?: string | undefined;
  readonly annotations: Readonly<Record<string, string>>;
  readonly finalizers: readonly string[];
  readonly isDeleted: boolean;
  readonly type: string;
  readonly loadBalancerClass?: string | undefined;
  readonly loadBalancerIP: string;
  readonly loadBalancerSourceRanges: readonly string[];
  readonly sessionAffinity: string;
  readonly externalTrafficPolicy: string;
  /** 0: none was allocated. */
  readonly healthCheckNodePort: number;
  readonly ports: readonly ServicePort[];
  /** From `status.loadBalancer.ingress`: host names, or the address of an entry without one. */
  readonly ingress: readonly string[];
}

/**
 * A Service that has or needs a load balancer and whose other fields exceed the limits for what is read
 * (shared/workload/bounds.ts), or have an unknown form. Until it changes, its load balancer is left as it is.
 */
export interface UnreadService extends Pick<Service, 'namespace' | 'name' | 'uid' | 'resourceVersion'> {
  /** The path of the field that cannot be read: `spec.loadBalancerIP`. */
  readonly unreadField: string;
}

/** A Service in the list of all. */
export type ListedService = Service | UnreadService;

export const isRead = (one: ListedService): one is Service => !('unreadField' in one);

/** `<namespace>/<name>` */
export const serviceKey = ({ namespace, name }: Pick<Service, 'namespace' | 'name'>): string => `${namespace}/${name}`;

const hasFinalizer = ({ finalizers }: Service): boolean => finalizers.includes(CLEANUP_FINALIZER);

/** A Service with a class belongs to the controller of that class. */
const wantsLoadBalancer = ({ type, loadBalancerClass }: Service): boolean =>
  type === 'LoadBalancer' && loadBalancerClass === undefined;

/** What a Service needs: a load balancer, the removal of an existing one, or nothing. */
export type Need = 'balancer' | 'removal' | undefined;

/**
 * What a Service needs. If it is being deleted and does not have the finalizer, it never had a load balancer from
 * Windlass, or that is gone already: a new one would have no owner.
 */
export const needOf = (service: Service): Need => {
  const isLeaving = service.isDeleted || service.type !== 'LoadBalancer';
  if (hasFinalizer(service) && isLeaving) return 'removal';
  return wantsLoadBalancer(service) && !service.isDeleted ? 'balancer' : undefined;
};

export const lacksFinalizer = (service: Service): boolean => !hasFinalizer(service);
