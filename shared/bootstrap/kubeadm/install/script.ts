import type { BootFile } from '../../machine-setup.ts';

/** The path of the script that installs kubeadm and its requirements. */
export const INSTALL_SCRIPT_PATH = '/etc/windlass/install-kubernetes.sh';

/** How long downloads are retried: a route or a mirror may not be available yet when a machine starts. */
const PATIENCE_SECONDS = 900;

/** Repeats a command until it succeeds. */
export const RETRY = `deadline=$((SECONDS + ${PATIENCE_SECONDS}))

retry() {
  until "$@"; do
    if [ "$SECONDS" -ge "$deadline" ]; then
      echo "gave up: $*" >&2
      return 1
    fi
    sleep 5
  done
}
`;

/**
 * Configures the kernel for Kubernetes, now and at the next boot. kubeadm refuses a dual-stack cluster without IPv6
 * forwarding. A kernel without IPv6 does not have it, so errors in the line that begins with a dash are ignored.
 */
export const KERNEL = `printf 'overlay\\nbr_netfilter\\n' >/etc/modules-load.d/kubernetes.conf
modprobe overlay
modprobe br_netfilter
printf 'net.bridge.bridge-nf-call-iptables = 1\\nnet.bridge.bridge-nf-call-ip6tables = 1\\nnet.ipv4.ip_forward = 1\\n-net.ipv6.conf.all.forwarding = 1\\n' >/etc/sysctl.d/99-kubernetes.conf
sysctl --system >/dev/null
swapoff -a
`;

/** The script as a file of the first boot. */
export const installer = (script: string): BootFile => ({
  path: INSTALL_SCRIPT_PATH,
  owner: 'root:root',
  permissions: '0700',
  content: script,
});

/** The command that installs a version, such as v1.34.0. It precedes all others. */
export const installCommand = (version: string): string => `bash ${INSTALL_SCRIPT_PATH} ${version}`;
