import { NODE_FACTS } from './node-facts.ts';

/**
 * The two jobs that run on a host, detached from the connection that starts them. Each writes its process id first and
 * its exit code last. POSIX sh with coreutils, because a host may have nothing else.
 */

/** Carries out the payload. Lists the files that did not exist before, so that the release can remove them. */
export const BOOT_RUNNER = `#!/bin/sh
dir=/var/lib/windlass
echo $$ >"$dir/boot.pid"
exec >>"$dir/boot.log" 2>&1 </dev/null
cd /
umask 022
code=0
sentinel=''
decode() { printf %s "$1" | base64 -d; }
write() {
  path=$(decode "$1") && mkdir -p -- "$(dirname -- "$path")" || return 1
  [ -e "$path" ] || printf '%s\\n' "$path" >>"$dir/files"
  if [ "$4" = 1 ]; then
    decode "$5" >>"$path" || return 1
  else
    (umask 077 && decode "$5" >"$path.windlass") && mv -f -- "$path.windlass" "$path" || return 1
  fi
  chown -- "$2" "$path" && chmod -- "$3" "$path"
}
while read -r verb a b c d e <&3; do
  case $verb in
  expect)
    sentinel=$(decode "$a")
    rm -f -- "$sentinel"
    ;;
  file)
    write "$a" "$b" "$c" "$d" "$e" || { echo "windlass: cannot write $path"; code=73; break; }
    ;;
  run)
    (umask 077 && decode "$a" >"$dir/command")
    /bin/sh "$dir/command" 3<&-
    code=$?
    ;;
  esac
done 3<"$dir/payload"
if [ "$code" = 0 ] && [ -n "$sentinel" ] && [ ! -e "$sentinel" ]; then
  echo "windlass: the bootstrap data did not report success"
  code=74
fi
rm -f "$dir/payload" "$dir/command"
echo "$code" >"$dir/boot.result.new"
mv -f "$dir/boot.result.new" "$dir/boot.result"
`;

/** Runs the distribution's own removal, then removes the rest, and checks whether a kubelet is still running. */
export const RESET_RUNNER = `#!/bin/sh
dir=/var/lib/windlass
echo $$ >"$dir/reset.pid"
exec >>"$dir/reset.log" 2>&1 </dev/null
cd /
has() { command -v "$1" >/dev/null 2>&1; }
${NODE_FACTS}# A boot job that was started a moment ago has not said yet which process it is.
tries=0
while [ -f "$dir/boot.started" ] && [ ! -f "$dir/boot.pid" ] && [ "$tries" -lt 10 ]; do
  sleep 1
  tries=$((tries + 1))
done
if [ -f "$dir/boot.pid" ] && [ ! -f "$dir/boot.result" ] && [ "$(cat "$dir/boot.started")" = "$(cat /proc/sys/kernel/random/boot_id)" ]; then
  has systemctl && systemctl stop "windlass-boot-$(cat "$dir/owner").service"
  kill -TERM "-$(cat "$dir/boot.pid")" && sleep 2
  kill -KILL "-$(cat "$dir/boot.pid")"
fi
PATH=$PATH:/usr/local/bin:/opt/rke2/bin
code=0
if has rke2-uninstall.sh; then
  # Both scripts know only this variable, and would leave another folder and the containers that run from it.
  config=/etc/rancher/rke2/config.yaml
  if [ -r "$config" ]; then
    RKE2_DATA_DIR=$(data_folder <"$config")
    export RKE2_DATA_DIR
  fi
  rke2-killall.sh
  rke2-uninstall.sh || { echo "windlass: rke2-uninstall.sh failed"; code=1; }
fi
if has kubeadm && [ -e /etc/kubernetes ]; then
  kubeadm reset --force || { echo "windlass: kubeadm reset failed"; code=1; }
fi
has systemctl && systemctl stop kubelet.service
if [ "$code" = 0 ]; then
  rm -rf /etc/kubernetes /etc/cni/net.d /var/lib/etcd /run/kubeadm /run/cluster-api
  [ ! -f "$dir/files" ] || while read -r path; do rm -f -- "$path"; done <"$dir/files"
fi
if runs_kubelet; then
  echo "windlass: a kubelet still runs"
  code=1
fi
echo "$code" >"$dir/reset.result.new"
mv -f "$dir/reset.result.new" "$dir/reset.result"
`;
