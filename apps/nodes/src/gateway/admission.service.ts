import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import { Injectable } from '@nestjs/common'
import { Authenticator } from '@trestle/auth/authenticator'
import { Problem } from '@trestle/problem/problem'
import { checkBasic } from './credentials.js'
import type { LiveWorkload } from './live-workload.js'

/** Where a request comes from. */
export interface Origin {
  readonly request: IncomingMessage
  /** The client's address; behind proxies it takes a while to tell. */
  address(): string
}

/** Lets in who may call a holding. */
@Injectable()
export class Admission {
  constructor(private readonly authenticator: Authenticator) {}

  /** Throws a Problem; a promise only where a token has to be looked at. */
  admit({ authType, digest, userId, allowedIps }: LiveWorkload, { request, address }: Origin): void | Promise<void> {
    if (allowedIps) checkAddress(allowedIps, address())
    if (authType === 'basic') checkBasic(request, digest)
    else if (authType === 'jwt') return this.checkToken(userId, request)
  }

  private async checkToken(owner: string, raw: IncomingMessage): Promise<void> {
    const { userId } = await this.authenticator.authenticate({ raw }, 'client')
    if (userId !== owner) throw new Problem('forbidden', 'NotOwner', 'The token is not of the owner of this node.')
  }
}

function checkAddress(allowed: NonNullable<LiveWorkload['allowedIps']>, address: string): void {
  if (!allowed.check(address, isIPv6(address) ? 'ipv6' : 'ipv4'))
    throw new Problem('forbidden', 'AddressNotAllowed', 'This node may not be called from this address.')
}
