/** The failure of kubeadm. The message is what it prints after `error execution phase`, and contains no secret. */
export class KubeadmError extends Error {
  override readonly name = 'KubeadmError';
}

/** The message of anything that was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
