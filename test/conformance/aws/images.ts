/** Images that the emulators must provide. */

/** An image as the AWS provider publishes it, in the format of the file that moto reads. */
export const PUBLISHED = {
  ami_id: 'ami-0c0ffee0c0ffee001',
  name: 'capa-ami-ubuntu-24.04-v1.34.0-1764000000',
  owner_id: '819546954734',
  public: true,
  state: 'available',
  architecture: 'x86_64',
  virtualization_type: 'hvm',
  hypervisor: 'xen',
  image_type: 'machine',
  image_location: 'published',
  root_device_type: 'ebs',
  root_device_name: '/dev/sda1',
  description: 'An image of the suite',
  sriov: 'simple',
};

/** An image that is built into ministack, which needs Docker to launch images that are registered. */
export const STUB = {
  id: 'ami-0123456789abcdef0',
  name: 'ubuntu/images/hvm-ssd/ubuntu-22.04-amd64-server',
  owner: '099720109477',
  root: '/dev/xvda',
};
