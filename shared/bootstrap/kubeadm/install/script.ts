import type { BootFile } from '../../machine-setup.ts';

/** The path of the script that installs kubeadm and its requirements. */
export const INSTALL_SCRIPT_PATH = '/etc/windlass/install-kubernetes.sh';

/** For how long downloads are tried: a route or a mirror may not be there when a machine starts. */
const PATIENCE_SECONDS = 900;

/** Runs a command again until it succeeds. */
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
 * What Kubernetes needs of the kernel, now and at the next boot. kubeadm refuses a dual-stack cluster without forwarding
 * of IPv6, which a kernel without IPv6 lacks: then the line beginning with a dash is ignored.
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

/** The command that installs a version, such as v1.34.0; it comes before all others. */
export const installCommand = (version: string): string => `bash ${INSTALL_SCRIPT_PATH} ${version}`;
