import type { BootFile } from '../machine-setup.ts';

/** Opts an AWSMachine in: its image has no kubeadm, which is installed at the first boot. */
export const INSTALL_ANNOTATION = 'windlass.dev/install-kubernetes';

/** Where the script lies that installs kubeadm, kubelet, kubectl and containerd. */
export const INSTALL_SCRIPT_PATH = '/etc/windlass/install-kubernetes.sh';

/** For how long packages are asked for: a route or a mirror may not be there when a machine starts. */
const PATIENCE_SECONDS = 900;

/**
 * Installs what an image for Cluster API has and a stock one has not, on Ubuntu and Debian: containerd of the
 * distribution, and kubeadm, kubelet and kubectl of exactly one version from the project's own repository, whose
 * signature apt verifies. Run a second time it changes nothing.
 */
const SCRIPT = `#!/bin/bash
# Usage: install-kubernetes.sh <version, such as v1.34.0>
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive
version="\${1#v}"
minor="v\${version%.*}"
repository="https://pkgs.k8s.io/core:/stable:/$minor/deb/"
keyring=/etc/apt/keyrings/kubernetes.gpg
deadline=$((SECONDS + ${PATIENCE_SECONDS}))

if ! command -v apt-get >/dev/null; then
  echo "this image has no apt-get: kubeadm can be installed on Ubuntu and Debian only" >&2
  exit 1
fi

retry() {
  until "$@"; do
    if [ "$SECONDS" -ge "$deadline" ]; then
      echo "gave up: $1" >&2
      return 1
    fi
    sleep 5
  done
}

fetch_key() {
  curl -fsSL --proto '=https' --max-time 30 "$repository""Release.key" | gpg --batch --yes --dearmor -o "$keyring.new"
}

printf 'overlay\\nbr_netfilter\\n' >/etc/modules-load.d/kubernetes.conf
modprobe overlay
modprobe br_netfilter
printf 'net.bridge.bridge-nf-call-iptables = 1\\nnet.bridge.bridge-nf-call-ip6tables = 1\\nnet.ipv4.ip_forward = 1\\n' >/etc/sysctl.d/99-kubernetes.conf
sysctl --system >/dev/null
swapoff -a

retry apt-get -o DPkg::Lock::Timeout=120 update -q
retry apt-get -o DPkg::Lock::Timeout=120 install -y -q --no-install-recommends apt-transport-https ca-certificates curl gpg containerd conntrack socat

mkdir -p /etc/containerd
containerd config default | sed 's/SystemdCgroup = false/SystemdCgroup = true/' >/etc/containerd/config.toml
systemctl enable containerd
systemctl restart containerd

mkdir -p -m 755 /etc/apt/keyrings
retry fetch_key
mv "$keyring.new" "$keyring"
chmod 644 "$keyring"
echo "deb [signed-by=$keyring] $repository /" >/etc/apt/sources.list.d/kubernetes.list
retry apt-get -o DPkg::Lock::Timeout=120 update -q
retry apt-get -o DPkg::Lock::Timeout=120 install -y -q --allow-change-held-packages "kubelet=$version-*" "kubeadm=$version-*" "kubectl=$version-*"
apt-mark hold kubelet kubeadm kubectl >/dev/null
systemctl enable --now kubelet
`;

/** The script as a file of the first boot. */
export const installScript: BootFile = {
  path: INSTALL_SCRIPT_PATH,
  owner: 'root:root',
  permissions: '0700',
  content: SCRIPT,
};

/** The command that installs a version; it comes before all others. */
export const installCommand = (version: string): string => `bash ${INSTALL_SCRIPT_PATH} ${version}`;
