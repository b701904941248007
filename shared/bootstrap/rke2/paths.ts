/** RKE2's paths for its configuration; `agentConfig.dataDir` moves the paths below the data folder. */

export const CONFIG_PATH = '/etc/rancher/rke2/config.yaml';
export const REGISTRIES_PATH = '/etc/rancher/rke2/registries.yaml';
export const RKE2_SCRIPT_PATH = '/run/cluster-api/rke2-until-done.sh';
/** The path of the script for Ignition. */
export const RKE2_IGNITION_SCRIPT_PATH = '/etc/rke2-until-done.sh';
export const CIS_SCRIPT_PATH = '/opt/rke2-cis-script.sh';
export const DEFAULT_DATA_DIR = '/var/lib/rancher/rke2';

/** The port on which servers accept joining machines. */
export const REGISTRATION_PORT = 9345;
