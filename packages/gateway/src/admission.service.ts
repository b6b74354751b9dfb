import { type BlockList, isIPv6 } from 'node:net'
import { Injectable } from '@nestjs/common'
import { Authenticator } from '@trestle/auth/authenticator'
import { Authorization } from '@trestle/auth/authorization'
import { KeyRestrictions } from '@trestle/auth/key-restrictions.engine'
import type { Caller } from '@trestle/contracts/caller'
import type { Permission } from '@trestle/contracts/permissions'
import { Problem } from '@trestle/problem/problem'
import type { AccessRules } from './access-rules.js'
import { checkBasic } from './basic-credentials.js'
import type { RequestContext } from './request-context.js'

type Arrival = Pick<RequestContext, 'request' | 'address'>

@Injectable()
export class AdmissionService {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly authorization: Authorization,
    private readonly restrictions: KeyRestrictions,
  ) {}

  /** Throws a Problem; a promise only where a token has to be verified. */
  admit(rules: AccessRules, context: Arrival): void | Promise<void> {
    const caller = this.check(rules, context)
    if (caller instanceof Promise) return caller.then((verified) => this.enter(rules, verified, context))
    this.enter(rules, caller, context)
  }

  /** Repeats the check for a connection that was admitted and is open: it is no request of its own. */
  async recheck(rules: AccessRules, context: Arrival): Promise<void> {
    const caller = await this.check(rules, context)
    if (!caller) return
    await this.authenticator.recheck({ raw: context.request }, 'client')
    rules.onAdmitted?.(caller)
  }

  /** The caller, where a token of ours says who it is. */
  private check(rules: AccessRules, { request, address }: Arrival): Caller | undefined | Promise<Caller | undefined> {
    if (rules.isOwnerDisabled) throw new Problem('forbidden', 'OwnerDisabled', 'The account of the owner is disabled.')
    if (rules.origins) checkOrigin(rules.origins, request.headers.origin)
    if (rules.addresses) checkAddress(rules.addresses, address())
    const { organizationId, credentials } = rules
    if (credentials.type === 'basic') checkBasic(request, credentials.digest)
    if (credentials.type !== 'token') return undefined
    if (credentials.foreign?.isPresentedBy(request)) return nobodyOfOurs(credentials.foreign.admit(request))
    const permitted = (caller: Caller) => this.permitted(caller, credentials.permission, organizationId)
    const known = this.authenticator.known(request, 'client')
    return known ? permitted(known) : this.authenticator.authenticate({ raw: request }, 'client').then(permitted)
  }

  private permitted(caller: Caller, permission: Permission, organizationId: string): Caller {
    if (this.authorization.allows(caller, permission, organizationId)) return caller
    this.authorization.requireFactor(caller, organizationId)
    throw new Problem(
      'forbidden',
      'NotOwner',
      `The token is of nobody who has the permission ${permission} in the organization that owns this.`,
    )
  }

  /** Holds a client key to its own limits, as the guard of all endpoints does. */
  private enter({ onAdmitted }: AccessRules, caller: Caller | undefined, { address }: Arrival): void {
    if (!caller) return
    if (caller.limits) this.restrictions.admit(caller, address(), Date.now())
    onAdmitted?.(caller)
  }
}

function nobodyOfOurs(admitted: void | Promise<void>): undefined | Promise<undefined> {
  return admitted?.then(() => undefined)
}

function checkOrigin(origins: ReadonlySet<string>, origin: string | undefined): void {
  // Only browsers send it; any other client could send any.
  if (origin !== undefined && !origins.has(origin))
    throw new Problem('forbidden', 'OriginNotAllowed', 'Calls from this origin are not allowed.')
}

function checkAddress(addresses: BlockList, address: string): void {
  if (!addresses.check(address, isIPv6(address) ? 'ipv6' : 'ipv4'))
    throw new Problem('forbidden', 'AddressNotAllowed', 'Calls from this address are not allowed.')
}
