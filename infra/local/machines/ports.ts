/** What the simulated machines need of the world around them, narrowed to the calls that they make. */

/** An EC2 instance as the machine inside it can know it. */
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
  /** `local-hostname` of the instance metadata, if DHCP options make it another name. */
  localHostname?: string;
  publicIp?: string;
  publicDnsName?: string;
  /**
   * The provider id that the cloud's own controller in the cluster would give the node, where such a controller is
   * simulated along with the machine.
   */
  providerId?: string;
}

/** The life-cycle states of EC2. */
export type InstanceState = 'pending' | 'running' | 'shutting-down' | 'terminated' | 'stopping' | 'stopped';

export interface Cloud {
  /** Every instance of the region, whatever its state. */
  instances(): Promise<{ instance: Instance; state: InstanceState }[]>;
  /** The instance's user data as stored by EC2 (base64), or undefined if it has none. */
  userData(instanceId: string): Promise<string | undefined>;
  /** The image's name, or undefined if the image is gone or has none. */
  imageName(imageId: string): Promise<string | undefined>;
  /** Whether the Auto Scaling group of an instance has it in service or is about to; absent where no groups are known. */
  isInService?(instanceId: string): Promise<boolean>;
}

/** Secrets Manager, and for names that are paths the Parameter Store, as boot scripts use them. Errors are theirs. */
export interface SecretChunks {
  /** The binary value of a secret, the decrypted and decoded one of a parameter. Throws if there is none. */
  read(id: string): Promise<Uint8Array>;
  /** Deletes a secret immediately, without a recovery window. */
  remove(id: string): Promise<void>;
}

/** What a machine's Ignition fetches with the rights of its instance: `s3:` and `https:` addresses. */
export interface Remote {
  fetch(url: string): Promise<Uint8Array>;
}

/** Where something listens on this computer. */
export interface Address {
  host: string;
  port: number;
}

/** A server on the internet that really is on this computer: where it listens, and the authority of its certificate (PEM). */
export type Internet = (host: string) => { address: Address; ca: string } | undefined;

/**
 * The registry by which the simulated load balancer finds a machine: `port` is the port that the target is registered
 * with, the address is where it really listens on this computer.
 */
export interface DataPlane {
  serve(instanceId: string, port: number, address: Address): void;
  /** Withdraws one port, or all ports of the instance. */
  withdraw(instanceId: string, port?: number): void;
}
