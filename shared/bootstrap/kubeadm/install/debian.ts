import { installer, KERNEL, RETRY } from './script.ts';

/**
 * Installs the parts of a Cluster API image that a stock image of Ubuntu or Debian lacks: the distribution's
 * containerd, and kubeadm, kubelet and kubectl of exactly one version from the project's own repository, whose
 * signature apt verifies. A second run changes nothing.
 */
const SCRIPT = `#!/bin/bash
# Usage: install-kubernetes.sh <version, such as v1.34.0>
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive
version="\${1#v}"
minor="v\${version%.*}"
repository="https://pkgs.k8s.io/core:/stable:/$minor/deb/"
keyring=/etc/apt/keyrings/kubernetes.gpg

if ! command -v apt-get >/dev/null; then
  echo "this image has no apt-get: kubeadm can be installed on Ubuntu and Debian only" >&2
  exit 1
fi

${RETRY}
fetch_key() {
  curl -fsSL --proto '=https' --max-time 30 "$repository""Release.key" | gpg --batch --yes --dearmor -o "$keyring.new"
}

# An update that cannot fetch anything warns and succeeds, so each try to install begins with one.
install_packages() {
  apt-get -o DPkg::Lock::Timeout=120 update -q &&
    apt-get -o DPkg::Lock::Timeout=120 install -y -q "$@"
}

${KERNEL}
retry install_packages --no-install-recommends apt-transport-https ca-certificates curl gpg containerd conntrack socat

mkdir -p /etc/containerd
containerd config default | sed 's/SystemdCgroup = false/SystemdCgroup = true/' >/etc/containerd/config.toml
systemctl enable containerd
systemctl restart containerd

mkdir -p -m 755 /etc/apt/keyrings
retry fetch_key
mv "$keyring.new" "$keyring"
chmod 644 "$keyring"
echo "deb [signed-by=$keyring] $repository /" >/etc/apt/sources.list.d/kubernetes.list
retry install_packages --allow-change-held-packages "kubelet=$version-*" "kubeadm=$version-*" "kubectl=$version-*"
apt-mark hold kubelet kubeadm kubectl >/dev/null
systemctl enable --now kubelet
`;

/** The script for images with apt. */
export const debianInstaller = installer(SCRIPT);
