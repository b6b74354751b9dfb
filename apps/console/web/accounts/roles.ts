type Roles = readonly string[]

/** Who may invite, remove and change members, and rename; as the accounts service decides it. */
export function mayManage(roles: Roles): boolean {
  return roles.includes('owner') || roles.includes('admin')
}

/** Who may make and unmake owners, and dissolve. */
export function isOwner(roles: Roles): boolean {
  return roles.includes('owner')
}

/** Whether somebody of these roles may change or remove a member: only owners touch owners. */
export function mayChangeMember(roles: Roles, member: Roles): boolean {
  return isOwner(roles) || (mayManage(roles) && !isOwner(member))
}
