/**
 * The RBAC verb for users who move existing objects to this installation with `windlass adopt` or `clusterctl move`.
 */
export const ADOPT = 'adopt';
