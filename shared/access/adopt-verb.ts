/** The RBAC verb of users who bring existing objects here: `windlass adopt` and `clusterctl move`. */
export const ADOPT = 'adopt';
