import type { IncomingMessage } from 'node:http'
import { type BlockList, isIPv6 } from 'node:net'
import { Injectable } from '@nestjs/common'
import { Authenticator } from '@trestle/auth/authenticator'
import { Authorization } from '@trestle/auth/authorization'
import type { Caller } from '@trestle/contracts/caller'
import type { Permission } from '@trestle/contracts/permissions'
import { Problem } from '@trestle/problem/problem'
import type { AccessRules } from './access-rules.js'
import { checkBasic } from './basic-credentials.js'
import type { RequestContext } from './request-context.js'

@Injectable()
export class AdmissionService {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly authorization: Authorization,
  ) {}

  /** Throws a Problem; a promise only where a token has to be verified. */
  admit(rules: AccessRules, context: Pick<RequestContext, 'request' | 'address'>): void | Promise<void> {
    const { request } = context
    if (rules.isOwnerDisabled) throw new Problem('forbidden', 'OwnerDisabled', 'The account of the owner is disabled.')
    if (rules.origins) checkOrigin(rules.origins, request.headers.origin)
    if (rules.addresses) checkAddress(rules.addresses, context.address())
    const { credentials } = rules
    if (credentials.type === 'basic') return checkBasic(request, credentials.digest)
    if (credentials.type === 'token') return this.checkToken(rules, credentials.permission, request)
  }

  /** Repeats the check for a connection that was admitted and is open. */
  async recheck(rules: AccessRules, context: Pick<RequestContext, 'request' | 'address'>): Promise<void> {
    await this.admit(rules, context)
    if (rules.credentials.type === 'token') await this.authenticator.recheck({ raw: context.request }, 'client')
  }

  private checkToken(rules: AccessRules, permission: Permission, request: IncomingMessage): void | Promise<void> {
    const known = this.authenticator.known(request, 'client')
    if (known) return this.checkPermission(rules, permission, known)
    return this.authenticator.authenticate({ raw: request }, 'client').then((caller) => this.checkPermission(rules, permission, caller))
  }

  private checkPermission({ organizationId, onAdmitted }: AccessRules, permission: Permission, caller: Caller): void {
    if (!this.authorization.allows(caller, permission, organizationId))
      throw new Problem(
        'forbidden',
        'NotOwner',
        `The token is of nobody who has the permission ${permission} in the organization that owns this.`,
      )
    onAdmitted?.(caller)
  }
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
