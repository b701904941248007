/** Where the Secrets of AWSClusterStaticIdentities are: upstream's default for the namespace of its controllers. */
export const SECRET_NAMESPACE = 'capa-system';
