import { installer, KERNEL, RETRY } from './script.ts';

/** The version of the CNI plugins, which most pod networks need and Debian's packages include. */
const CNI_PLUGINS = 'v1.7.1';

/**
 * Installs kubeadm, kubelet and kubectl of one version on Flatcar, which has containerd but neither packages nor a
 * writable `/usr`. They are put into a system extension, a folder that systemd overlays on `/usr` at each boot. They
 * come from the project's own download site, and each is verified with its published checksum. The folder for
 * FlexVolumes is in the extension, because kubeadm's controller manager mounts it and could not create it. Flatcar does
 * not update itself afterwards: machines do not change, and an update would reboot them unexpectedly. A second run for
 * a version downloads nothing. Sources: the Flatcar documentation on Kubernetes and on system extensions; the
 * Kubernetes documentation on installing kubeadm without a package manager.
 */
const SCRIPT = `#!/bin/bash
# Usage: install-kubernetes.sh <version, such as v1.34.0>
set -euo pipefail
version="$1"
extension=/var/lib/extensions/kubernetes
staged=/var/lib/kubernetes-extension
plugins=/opt/cni/bin

. /etc/os-release
if [ "\${ID:-}" != flatcar ]; then
  echo "this image is \${ID:-unknown}: with Ignition, kubeadm can be installed on Flatcar only" >&2
  exit 1
fi
case "$(uname -m)" in
  x86_64) architecture=amd64 ;;
  aarch64) architecture=arm64 ;;
  *)
    echo "there is no kubeadm for $(uname -m)" >&2
    exit 1
    ;;
esac

${RETRY}
# fetch <url> <file>: and compares it with the checksum that is published beside it.
fetch() {
  local wanted found
  curl -fsSL --proto '=https' --connect-timeout 30 -o "$2" "$1" || return 1
  wanted="$(curl -fsSL --proto '=https' --connect-timeout 30 "$1.sha256")" || return 1
  found="$(sha256sum "$2")"
  if [ "\${wanted%% *}" != "\${found%% *}" ]; then
    echo "the checksum of $1 is \${found%% *}, not \${wanted%% *}" >&2
    return 1
  fi
}

if [ "$(cat "$extension/usr/share/kubernetes-version" 2>/dev/null)" != "$version" ]; then
  rm -rf "$staged"
  mkdir -p "$staged/usr/bin" "$staged/usr/share" "$staged/usr/lib/extension-release.d" "$staged/usr/libexec/kubernetes/kubelet-plugins/volume"
  for program in kubeadm kubelet kubectl; do
    retry fetch "https://dl.k8s.io/release/$version/bin/linux/$architecture/$program" "$staged/usr/bin/$program"
    chmod 0755 "$staged/usr/bin/$program"
  done
  ln -s /var/lib/kubelet-plugins/volume/exec "$staged/usr/libexec/kubernetes/kubelet-plugins/volume/exec"
  archive="cni-plugins-linux-$architecture-${CNI_PLUGINS}.tgz"
  retry fetch "https://github.com/containernetworking/plugins/releases/download/${CNI_PLUGINS}/$archive" "$staged/$archive"
  mkdir -p "$plugins"
  tar -xzf "$staged/$archive" -C "$plugins"
  rm "$staged/$archive"
  printf 'ID=flatcar\\nSYSEXT_LEVEL=1.0\\n' >"$staged/usr/lib/extension-release.d/extension-release.kubernetes"
  echo "$version" >"$staged/usr/share/kubernetes-version"
  rm -rf "$extension"
  mkdir -p "\${extension%/*}"
  mv "$staged" "$extension"
fi
mkdir -p /var/lib/kubelet-plugins/volume/exec

cat >/etc/systemd/system/kubelet.service <<'UNIT'
[Unit]
Description=The Kubernetes node agent
Wants=network-online.target
After=network-online.target systemd-sysext.service containerd.service
StartLimitIntervalSec=0

[Service]
Environment="KUBELET_KUBECONFIG_ARGS=--bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf --kubeconfig=/etc/kubernetes/kubelet.conf"
Environment="KUBELET_CONFIG_ARGS=--config=/var/lib/kubelet/config.yaml"
EnvironmentFile=-/var/lib/kubelet/kubeadm-flags.env
EnvironmentFile=-/etc/default/kubelet
ExecStart=/usr/bin/kubelet $KUBELET_KUBECONFIG_ARGS $KUBELET_CONFIG_ARGS $KUBELET_KUBEADM_ARGS $KUBELET_EXTRA_ARGS
Restart=always
RestartSec=10

[Install]
WantedBy=multi-user.target
UNIT

${KERNEL}
systemctl mask --now update-engine.service locksmithd.service
systemctl restart systemd-sysext.service
# Images with an older systemd lay extensions over /usr with its help.
if systemctl cat ensure-sysext.service >/dev/null 2>&1; then
  systemctl restart ensure-sysext.service
fi
systemctl daemon-reload
systemctl enable --now containerd.service kubelet.service
`;

/** The script for Flatcar. */
export const flatcarInstaller = installer(SCRIPT);
