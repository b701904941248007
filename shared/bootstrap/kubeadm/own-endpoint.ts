import { isIP } from 'node:net';
import type { ClusterFacts, KubeadmConfigSpec } from './spec.ts';

/** The endpoint of a cluster, if its name can resolve to the machine's own API server. */
export interface OwnEndpoint {
  /** The DNS name in every kubeconfig. */
  host: string;
  port: number;
  /** An IP address of the machine, on which its API server listens. */
  address: string;
  /**
   * Without this entry, the endpoint never leads a machine back to itself. So the entry stays, and the machine does not
   * wait.
   */
  stays?: true;
}

const DEFAULT_BIND_PORT = 6443;
const DNS_NAME = /^(?!\d+$)[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/i;
const LOOPBACK = '127.0.0.1';
/** Addresses that stand for all interfaces. */
const ANY = new Set(['', '0.0.0.0', '::']);

/** `host:port`, or only a host, for which kubeadm uses the port of the API server. */
const split = (endpoint: string, bindPort: number): { host: string; port: number } => {
  const [, host = '', port] = /^(.*?)(?::(\d+))?$/.exec(endpoint) ?? [];
  return { host, port: port === undefined ? bindPort : Number(port) };
};

const bindAddress = ({ clusterConfiguration }: KubeadmConfigSpec): string =>
  clusterConfiguration?.apiServer?.extraArgs?.findLast(({ name }) => name === 'bind-address')?.value ?? '';

/**
 * The line of /etc/hosts that resolves the endpoint to the API server that `kubeadm init` starts on this machine.
 * Undefined if such a line cannot work: the endpoint is an IP address, its port differs from the API server's, or the
 * API server listens on an address that is only known on the machine.
 */
export const ownEndpoint = (cluster: ClusterFacts, spec: KubeadmConfigSpec): OwnEndpoint | undefined => {
  const bindPort = spec.initConfiguration?.localAPIEndpoint?.bindPort ?? DEFAULT_BIND_PORT;
  const set = spec.clusterConfiguration?.controlPlaneEndpoint;
  const { host, port } = set ? split(set, bindPort) : cluster.endpoint;
  const bound = bindAddress(spec);
  const address = ANY.has(bound) ? LOOPBACK : bound;
  if (isIP(host) !== 0 || !DNS_NAME.test(host) || port !== bindPort || isIP(address) === 0) return undefined;
  const stays = host === cluster.endpoint.host && cluster.endpoint.preservesClientAddress === true;
  return { host, port, address, ...(stays ? { stays } : {}) };
};

/**
 * How long a machine waits for the endpoint after its control plane was created, in seconds. AWS takes up to five
 * minutes.
 */
const SETTLE_SECONDS = 600;

/**
 * Functions of the boot script. `take_endpoint` maps the endpoint's name to this machine, and `leave_endpoint` ends
 * that as soon as the endpoint responds without it. Without such an endpoint, both do nothing.
 */
export const endpointFunctions = (endpoint: OwnEndpoint | undefined): string => `endpoint_host='${endpoint?.host ?? ''}'
endpoint_port=${endpoint?.port ?? 0}
own_address='${endpoint?.address ?? ''}'
endpoint_stays='${endpoint?.stays ? 'yes' : ''}'
hosts_mark='# kubeadm-until-done: until the endpoint answers'
settle=${SETTLE_SECONDS}

# Rewrites /etc/hosts: without our line, and with it again where "$1" says so. In one step, because the machine needs
# the file, and as a copy, because it can be a link into the image.
write_hosts() {
  local file=/etc/hosts new=/etc/hosts.kubeadm-until-done
  [ -e "$file" ] || touch "$file"
  cp -aL "$file" "$new" || return 1
  grep -vF "$hosts_mark" "$file" >"$new"
  [ "$1" = without ] || echo "$own_address $endpoint_host $hosts_mark" >>"$new"
  mv "$new" "$file"
}

take_endpoint() {
  [ -n "$own_address" ] || return 0
  write_hosts with || say "cannot write /etc/hosts: kubeadm has to wait for the load balancer"
}

# Over TLS, because some load balancers accept connections that they cannot forward.
endpoint_answers() {
  if command -v curl >/dev/null; then
    curl --silent --insecure --noproxy '*' --output /dev/null --max-time 5 "https://$endpoint_host:$endpoint_port/readyz"
  else
    timeout 5 bash -c 'exec 3<>"/dev/tcp/$0/$1"' "$endpoint_host" "$endpoint_port" 2>/dev/null
  fi
}

# A load balancer that preserves client addresses cannot lead a machine back to itself: then the name stays at once. So
# does one that does not answer in time, whatever is behind it.
leave_endpoint() {
  [ -n "$own_address" ] || return 0
  [ "$1" = 0 ] || { write_hosts without; return; }
  if [ -n "$endpoint_stays" ]; then
    say "$endpoint_host preserves client addresses: the name keeps leading to this machine's own API server"
    return 0
  fi
  local until=$((SECONDS + settle))
  while write_hosts without; do
    endpoint_answers && return 0
    write_hosts with
    if [ "$SECONDS" -ge "$until" ]; then
      say "$endpoint_host does not answer this machine: the name keeps leading to its own API server"
      return 0
    fi
    sleep "$pause"
  done
}
`;
