/**
 * The tenant that exists from the first start, and the group that it has: the tenant and the domain service make
 * their parts independently, in any order.
 */
export const FIRST_TENANT_ID = 'ten_00000000000000000000000001';
export const DEFAULT_GROUP_NAME = 'default';
