import { NODE_FACTS } from './node-facts.ts';
import { BOOT_RUNNER, RESET_RUNNER } from './runners.ts';

/** The folder in which a host stores its data and progress. The file `owner` marks it as one machine's. */
const HOST_DIRECTORY = '/var/lib/windlass';

/**
 * The script that a connection runs on a host: `sh -c AGENT windlass VERB UID [ARGUMENT]`. It answers immediately with
 * lines `windlass:key=value`; jobs continue without it.
 *
 *   check who uses the host, its name and the address at which it was reached
 *   start takes the host for the machine, reads the payload (ARGUMENT: its SHA-256) and starts the boot job, once
 *   poll the progress of the boot job
 *   reset starts the reset job, or reports its progress; after a reset the directory no longer exists
 *
 * A job is `none`, `running`, `lost` (the host was restarted, or the job was killed) or its exit code.
 */
const AGENT = `
set -u
umask 077
dir=${HOST_DIRECTORY}
released=$dir.released
verb=$1
uid=$2
argument=\${3:-}
boot_id=$(cat /proc/sys/kernel/random/boot_id)
owner=$(cat "$dir/owner" 2>/dev/null)
say() { printf 'windlass:%s=%s\\n' "$1" "$2"; }
words() { say words "$(tail -c 4000 "$dir/$1.log" 2>/dev/null | base64 | tr -d '\\n')"; }
state() {
  if [ -f "$dir/$1.result" ]; then cat "$dir/$1.result"
  elif [ ! -f "$dir/$1.started" ]; then echo none
  elif [ "$(cat "$dir/$1.started")" != "$boot_id" ]; then echo lost
  elif [ -f "$dir/$1.pid" ]; then
    if kill -0 "$(cat "$dir/$1.pid")" 2>/dev/null; then echo running
    elif [ -f "$dir/$1.result" ]; then cat "$dir/$1.result"
    else echo lost; fi
  elif [ -n "$(find "$dir/$1.started" -mmin +1)" ]; then echo lost
  else echo running; fi
}
launch() {
  (set -C; echo "$boot_id" >"$dir/$1.started") 2>/dev/null || return 0
  if [ -d /run/systemd/system ] && command -v systemd-run >/dev/null 2>&1; then
    systemd-run --quiet --collect --unit="windlass-$1-$uid" /bin/sh "$dir/$1.sh" && return 0
    rm -f "$dir/$1.started"
    return 1
  fi
  setsid /bin/sh "$dir/$1.sh" </dev/null >/dev/null 2>&1 &
}
answer() {
  now=$(state "$1")
  say state "$now"
  case $now in none | running | 0) ;; *) words "$1" ;; esac
}
start() {
  [ ! -e "$released/$uid" ] || { say state foreign; return; }
  mkdir -p "$dir" && chmod 0700 "$dir" || { say state unwritable; return; }
  (set -C; printf %s "$uid" >"$dir/owner") 2>/dev/null
  [ "$(cat "$dir/owner")" = "$uid" ] || { say state foreign; return; }
  if [ "$(state boot)" = none ]; then
    cat >"$dir/payload.$$"
    sum=$(sha256sum <"$dir/payload.$$" | cut -d ' ' -f 1)
    [ "$sum" = "$argument" ] || { rm -f "$dir/payload.$$"; say state incomplete; return; }
    mv -f "$dir/payload.$$" "$dir/payload"
    cat >"$dir/boot.sh" <<'WINDLASS_RUNNER'
${BOOT_RUNNER}WINDLASS_RUNNER
    launch boot || { say state unwritable; return; }
  fi
  answer boot
}
reset() {
  case $(state reset) in
  none)
    cat >"$dir/reset.sh" <<'WINDLASS_RUNNER'
${RESET_RUNNER}WINDLASS_RUNNER
    launch reset
    say state running
    ;;
  running) say state running ;;
  0)
    rm -rf "$dir"
    say state free
    ;;
  *)
    say state failed
    words reset
    rm -f "$dir/reset.started" "$dir/reset.result" "$dir/reset.pid" "$dir/reset.log"
    ;;
  esac
}
${NODE_FACTS}is_node() {
  [ -e /etc/kubernetes/kubelet.conf ] || [ -e /var/lib/rancher/rke2/agent ] && return 0
  config=/etc/rancher/rke2/config.yaml
  [ ! -r "$config" ] || [ ! -e "$(data_folder <"$config")/agent" ] || return 0
  runs_kubelet
}
case $verb in
check)
  say owner "$owner"
  say hostname "$(cat /proc/sys/kernel/hostname)"
  say address "$argument"
  if is_node; then say kubelet yes; else say kubelet no; fi
  ;;
start) start ;;
poll) if [ "$owner" = "$uid" ]; then answer boot; else say state foreign; fi ;;
reset)
  # A start that is still on its way must not find a host that looks free.
  mkdir -p "$released" && touch "$released/$uid" && find "$released" -type f -mtime +7 -delete
  if [ -z "$owner" ]; then say state free
  elif [ "$owner" != "$uid" ]; then say state foreign
  else reset; fi
  ;;
esac
`;

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

export type HostVerb = 'check' | 'start' | 'poll' | 'reset';

/** The command that a connection runs. The login shell inserts the address at which the host was reached. */
export const hostCommand = (verb: HostVerb, user: string, uid: string, argument = ''): string => {
  const last = verb === 'check' ? `"\${SSH_CONNECTION:-}"` : quoted(argument);
  const become = user === 'root' ? '' : 'sudo -n ';
  return `${become}/bin/sh -c ${quoted(AGENT)} windlass ${verb} ${quoted(uid)} ${last}`;
};
