/** The simulated machines' view of their environment, limited to the calls that they make. */

/** The data about an EC2 instance that the machine inside it can know. */
export interface Instance {
  id: string;
  region: string;
  vpcId: string;
  availabilityZone: string;
  imageId: string;
  instanceType: string;
  privateIp: string;
  /** The private DNS name, as EC2 reports it. */
  privateDnsName: string;
  /** `local-hostname` of the instance metadata, if DHCP options change the name. */
  localHostname?: string;
  publicIp?: string;
  publicDnsName?: string;
  /**
   * The provider id that the cloud's own controller in the cluster would give the node, if such a controller is
   * simulated together with the machine.
   */
  providerId?: string;
}

/** The life-cycle states of EC2. */
export type InstanceState = 'pending' | 'running' | 'shutting-down' | 'terminated' | 'stopping' | 'stopped';

export interface Cloud {
  /** Every instance in the region, in any state. */
  instances(): Promise<{ instance: Instance; state: InstanceState }[]>;
  /** The instance's user data as stored by EC2 (base64), or undefined if it has none. */
  userData(instanceId: string): Promise<string | undefined>;
  /** The image's name, or undefined if the image does not exist or has no name. */
  imageName(imageId: string): Promise<string | undefined>;
  /** Whether the Auto Scaling group of an instance has it in service, or is about to; absent if no groups are known. */
  isInService?(instanceId: string): Promise<boolean>;
}

/** Secrets Manager, and the Parameter Store for names that are paths, as boot scripts use them. Throws their errors. */
export interface SecretChunks {
  /** The binary value of a secret, or the decrypted and decoded value of a parameter. Throws if there is none. */
  read(id: string): Promise<Uint8Array>;
  /** Deletes a secret immediately, without a recovery window. */
  remove(id: string): Promise<void>;
}

/** What a machine's Ignition fetches with the permissions of its instance: `s3:` and `https:` addresses. */
export interface Remote {
  fetch(url: string): Promise<Uint8Array>;
}

/** An address on this computer on which something listens. */
export interface Address {
  host: string;
  port: number;
}

/** A public server that really is on this computer: its address, and the authority of its certificate (PEM). */
export type Internet = (host: string) => { address: Address; ca: string } | undefined;

/**
 * The registry through which the simulated load balancer finds a machine: `port` is the port with which the target is
 * registered, and the address is where it really listens on this computer.
 */
export interface DataPlane {
  serve(instanceId: string, port: number, address: Address): void;
  /** Withdraws one port, or all ports of the instance. */
  withdraw(instanceId: string, port?: number): void;
}
