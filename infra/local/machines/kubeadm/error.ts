/** kubeadm gave up. The message is what it prints after `error execution phase`, and holds no secret. */
export class KubeadmError extends Error {
  override readonly name = 'KubeadmError';
}

/** The message of anything that was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
