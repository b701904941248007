/**
 * Functions in POSIX sh about the node that a host may be, for the agent and its jobs.
 *
 *   data_folder the folder of RKE2 by the configuration on the standard input; its own default without one
 *   runs_kubelet whether a kubelet is running. An ended process that waits for its parent has no command line any more.
 */
export const NODE_FACTS = `data_folder() {
  folder=/var/lib/rancher/rke2
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in 'data-dir: '*) folder=\${line#data-dir: } ;; esac
  done
  case $folder in
  \\"*\\" | \\'*\\') folder=\${folder#?}; folder=\${folder%?} ;;
  esac
  printf '%s\\n' "$folder"
}
runs_kubelet() {
  for process in $(grep -lx kubelet /proc/[0-9]*/comm 2>/dev/null); do
    [ -z "$(tr -d '\\0' 2>/dev/null <"\${process%/comm}/cmdline")" ] || return 0
  done
  return 1
}
`;
