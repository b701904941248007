import { type BootFile, SENTINEL_PATH } from '../machine-setup.ts';
import { WARM_POOL_FOLDER } from '../warm-pool/in-service.ts';
import { debianInstaller } from './install/debian.ts';
import { flatcarInstaller } from './install/flatcar.ts';

/** The paths of the files that make a machine a node, which depend on the format. */
export interface KubeadmPlaces {
  configuration: Readonly<Record<'init' | 'join', string>>;
  /** The mode of the configuration, which contains a token. */
  permissions: string;
  /** The script that runs kubeadm until it is done. */
  script: string;
  /** A file in the folder in which kubeadm's success is reported, if the folder must be created. */
  placeholder?: string;
  /** Installs Kubernetes on a distribution's stock image, for machines with this format. */
  installer: BootFile;
  /** The kubeadm command, followed by the commands that run after it has succeeded. */
  run(kubeadm: string): string[];
}

const INIT_CONFIG_PATH = '/run/kubeadm/kubeadm.yaml';
const JOIN_CONFIG_PATH = '/run/kubeadm/kubeadm-join-config.yaml';

/** cloud-init, as in Cluster API. If a command fails, the following ones still run. */
export const CLOUD_INIT_PLACES: KubeadmPlaces = {
  configuration: { init: INIT_CONFIG_PATH, join: JOIN_CONFIG_PATH },
  permissions: '0640',
  script: '/run/cluster-api/kubeadm-until-done.sh',
  placeholder: '/run/cluster-api/placeholder',
  installer: debianInstaller,
  run: (kubeadm) => [`${kubeadm} && echo success > ${SENTINEL_PATH}`],
};

export const IGNITION_CONFIG_PATH = '/etc/kubeadm.yml';

/**
 * Ignition, as in Cluster API. It writes the disk before the machine starts, when /run is not on the disk. The commands
 * end at the first failure, and are run at each boot as long as the configuration exists.
 */
export const IGNITION_PLACES: KubeadmPlaces = {
  configuration: { init: IGNITION_CONFIG_PATH, join: IGNITION_CONFIG_PATH },
  permissions: '0600',
  script: '/etc/kubeadm-until-done.sh',
  installer: flatcarInstaller,
  run: (kubeadm) => [
    kubeadm,
    'mkdir -p /run/cluster-api',
    `echo success > ${SENTINEL_PATH}`,
    `mv ${IGNITION_CONFIG_PATH} /tmp/`,
  ],
};

const WARM_CONFIG_PATH = `${WARM_POOL_FOLDER}/kubeadm.yaml`;

/** An instance of a warm pool: it is stopped after cloud-init has written the files and before it joins. */
export const WARM_PLACES: KubeadmPlaces = {
  configuration: { init: WARM_CONFIG_PATH, join: WARM_CONFIG_PATH },
  permissions: '0600',
  script: `${WARM_POOL_FOLDER}/kubeadm-until-done.sh`,
  installer: debianInstaller,
  run: (kubeadm) => [
    'mkdir -p /run/cluster-api',
    `${kubeadm} && echo success > ${SENTINEL_PATH} && mv ${WARM_CONFIG_PATH} /run/cluster-api/`,
  ],
};

/** All possible paths of the script. */
export const KUBEADM_SCRIPT_PATHS: readonly string[] = [CLOUD_INIT_PLACES, IGNITION_PLACES, WARM_PLACES].map(
  ({ script }) => script,
);
