import { APPROVABLE_PERMISSIONS, type Permission } from '@trestle/contracts/permissions'

/** What an organization demands of its members. */
export interface Policy {
  readonly requireSecondFactor: boolean
  /** What needs the approval of a second person. */
  readonly approvals: ReadonlySet<Permission>
}

export const NO_POLICY: Policy = { requireSecondFactor: false, approvals: new Set() }

/** One object for each policy, since every membership of an organization has it. */
export class Policies {
  readonly #known = new Map<string, Policy>()

  of({ requireSecondFactor, approvals }: { requireSecondFactor: boolean; approvals: readonly string[] }): Policy {
    // A newer release of accounts may know permissions that nothing here asks for.
    const needed = APPROVABLE_PERMISSIONS.filter((permission) => approvals.includes(permission))
    const key = `${requireSecondFactor} ${needed.join(' ')}`
    const policy = this.#known.get(key) ?? { requireSecondFactor, approvals: new Set(needed) }
    this.#known.set(key, policy)
    return policy
  }
}
