import * as z from 'zod';

/** Values of command line flags, which YAML may parse as numbers and booleans. */
const flags = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String));

const component = z.strictObject({ extra_args: flags.optional() });

/** RKE quotes ports, because the field is a `string` in Go; users do not. */
const port = z.union([z.string(), z.int()]).transform(Number);

/** Only Docker and RKE's images need these fields. RKE2 has neither, so they change nothing here. */
const ofDocker = { docker_socket: z.unknown().optional() };

const node = z.strictObject({
  ...ofDocker,
  address: z.string().optional(),
  port: port.optional(),
  user: z.string().optional(),
  role: z.array(z.string()).optional(),
  ssh_key_path: z.string().optional(),
});

const services = z.strictObject({
  etcd: component.optional(),
  'kube-api': component.extend({ service_cluster_ip_range: z.string().optional() }).optional(),
  'kube-controller': component
    .extend({ cluster_cidr: z.string().optional(), service_cluster_ip_range: z.string().optional() })
    .optional(),
  scheduler: component.optional(),
  kubelet: component
    .extend({ cluster_domain: z.string().optional(), cluster_dns_server: z.string().optional() })
    .optional(),
  kubeproxy: component.optional(),
});

/**
 * The part of RKE's `cluster.yml` (https://rke.docs.rancher.com/config-options) that has a counterpart in RKE2. All
 * other fields are refused by name.
 */
export const clusterYml = z.strictObject({
  ignore_docker_version: z.unknown().optional(),
  enable_cri_dockerd: z.unknown().optional(),
  system_images: z.unknown().optional(),
  cluster_name: z.string().optional(),
  kubernetes_version: z.string().optional(),
  ssh_key_path: z.string().optional(),
  nodes: z.array(node).optional(),
  services: services.optional(),
  network: z.strictObject({ plugin: z.enum(['canal', 'calico', 'cilium', 'none']).optional() }).optional(),
  authentication: z
    .strictObject({ strategy: z.enum(['x509']).optional(), sans: z.array(z.string()).optional() })
    .optional(),
  authorization: z.strictObject({ mode: z.enum(['rbac']).optional() }).optional(),
  ingress: z.strictObject({ provider: z.enum(['nginx', 'none']).optional() }).optional(),
  monitoring: z.strictObject({ provider: z.enum(['metrics-server', 'none']).optional() }).optional(),
});

export type ClusterYml = z.output<typeof clusterYml>;
export type NodeYml = z.output<typeof node>;
